command -v cc >/dev/null || exit 77
plumb check --spec missing.c max-register.hist
plumb check --spec missing.so max-register.hist
CC=no-such-compiler plumb check --spec max_register.c max-register.hist
sed "s/int64_t max/int64_t least/" max_register.c >broken.c
plumb check --spec broken.c max-register.hist 2>said
echo $?
grep -c "^broken.c:.*error" said >/dev/null && tail -n 1 said
echo "int x;" >none.c
plumb check --spec none.c max-register.hist
plumb check --spec max_register.c queue-linearizable.hist
