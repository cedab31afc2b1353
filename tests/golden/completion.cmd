# What bash offers after the words of each line; the last one is unfinished.
command -v bash >/dev/null || exit 77
cat >complete.bash <<'END'
. "$SOURCE/completions/plumb.bash"
shopt -s extglob
try()
{
    echo "plumb $*"
    COMP_WORDS=(plumb "$@")
    COMP_CWORD=$#
    _plumb plumb
    printf '    %s\n' "${COMPREPLY[@]}"
}
try ""
try c
try check --no
try check --t
try check --ties ""
try check --ties =
try check --ties = r
try check --color a
try check -s sem
try check --algorithm w x
try check queue-v
try check --witness queue-l
try convert --to ""
try explore michael-s
try explore lost_update.c -- tiny
try explore lost_update.c --args tiny
try simulate -c queue-re
try verify stack
try list ""
try list objects queue-c
try list specs ""
try replay --gdb good
try help v
try nosuch ""
try cc tiny
END
bash complete.bash
# Other shells do not split at the sign, and show what each is for.
plumb --complete check --ties=
plumb --complete check --ver
plumb --complete explore --preemptions ""
plumb --complete
