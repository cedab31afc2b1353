#!/bin/sh
# run.sh [-c COMPILER] [-d DIRECTORY] [-s K/N] [-f|-a] PLUMB [FILE...] - do
# targets end as they should?
#
# The compiler is a gcc or a clang: gcc, clang-16, aarch64-linux-gnu-gcc; that
# for C++ has the same name.
#
# A target says in its first lines how to explore it, and what must come out:
#
#     // explore: --preemptions all -- -DTHREADS=3     begins a case
#     // expect: deadlock      the result line says so: a regular expression
#     // says: REGEX           and so does the report
#     // traces: 25680         so many executions were completed
#     // label: full           a slow one
#     // needs: ck_fifo.h      a header without which the case is left out
#     // machine: x86_64       the only processor that it is for
#
# Without -f only the quick cases are run, with -f the slow ones, with -a all;
# with -s only the K-th of every N files.
# Without FILE, all of the directory: targets/, or programs/, which is about
# the functions that programs call.  77: this compiler is not here.
set -u

compiler=gcc directory=targets which=quick share=1/1
while getopts c:d:s:fa option; do
    case $option in
    c) compiler=$OPTARG ;;
    d) directory=$OPTARG ;;
    s) share=$OPTARG ;;
    f) which=full ;;
    a) which=all ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { echo "usage: run.sh [-c COMPILER] [-d DIRECTORY] [-s K/N] [-f|-a] PLUMB [FILE...]" >&2; exit 2; }
plumb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift

CC=$compiler
case $compiler in
*gcc*) CXX=${compiler%gcc*}g++${compiler##*gcc} ;;
*clang*) CXX=${compiler%clang*}clang++${compiler##*clang} ;;
*) echo "run.sh: a gcc or a clang, not $compiler" >&2; exit 2 ;;
esac
export CC CXX LC_ALL=C.UTF-8 # reports draw with what the locale has
command -v "$CC" >/dev/null && command -v "$CXX" >/dev/null || exit 77
[ -x "$plumb" ] || exit 77
processor=$($CC -dumpmachine)
processor=${processor%%-*}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Schedules are written where it is run: not among the sources.
mkdir "$work/here"
ln -s "$(cd "$(dirname "$0")/$directory" && pwd)"/* "$work/here"
for file; do
    basename "$file"
done >"$work/files"
cd "$work/here" || exit 2
[ -s "$work/files" ] || ls -- *.c *.cpp |
    awk -v k="${share%/*}" -v n="${share#*/}" 'NR % n == k % n' >"$work/files"

# A case per line, its parts separated by the unit separator.
us=$(printf '\037')
cases_of()
{
    awk -v us="$us" '
        function value() { sub(/^\/\/ [a-z]*: ?/, ""); return $0 }
        function flush()
        {
            if (open)
                print explore us expect us says us traces us label us needs \
                    us machine
        }
        /^\/\/ explore:/ {
            flush(); explore = value(); open = 1
            expect = says = traces = label = needs = machine = ""; next
        }
        /^\/\/ expect:/ { expect = value(); next }
        /^\/\/ says:/   { says = value(); next }
        /^\/\/ traces:/ { traces = value(); next }
        /^\/\/ label:/  { label = value(); next }
        /^\/\/ needs:/  { needs = value(); next }
        /^\/\/ machine:/ { machine = value(); next }
        { exit }
        END { flush() }' "$1"
}

has_header()
{
    [ -z "$1" ] ||
        printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" |
        $CC -E -x c - >/dev/null 2>&1
}

# is_for MACHINE: can the compiler's programs run the case?
is_for()
{
    [ -z "$1" ] || [ "$1" = "$processor" ]
}

# Two words at once: only x86_64 has processors that cannot.
flags_of()
{
    case $processor in
    x86_64) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$1" | sed 's/ -mcx16//' ;;
    esac
}

status_of()
{
    case $1 in
    'no violation'*) echo 0 ;;
    undecided* | 'out of stack'*) echo 3 ;;
    error*) echo 2 ;;
    *) echo 1 ;;
    esac
}

number_of()
{
    sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" "$work/out" | head -n 1
}

# Executions that dpor gives up, as all ways on are asleep, are no traces.
complete_of()
{
    executions=$(number_of executions) asleep=$(number_of asleep)
    [ -z "$executions" ] || echo $((executions - ${asleep:-0}))
}

# The first number in lines that match: a sed expression with one group.
first_in()
{
    sed -n "s/^  $1.*/\\1/p" "$work/out" | head -n 1
}

# The engine counts preemptions, and the interleaving shows them.
counts_agree()
{
    shown=$(first_in 'interleaving (\([0-9]*\) preemption')
    found='Found after [0-9]* schedules* (\([0-9]*\) preemption'
    [ -z "$shown" ] || [ "$shown" = "$(first_in "$found")" ]
}

# wrong WHAT: the case that is being run did not end as it should.
wrong()
{
    failed=$((failed + 1)) good=no
    echo "not so: $file: plumb explore $explore"
    echo "    $1"
}

# shellcheck disable=SC2086,SC2120 # the words of a case are words of the shell
run_case()
{
    json='' limit=${LIMIT:-600}
    [ -z "$traces" ] || json=--json
    [ "$label" != full ] || limit=${LIMIT:-3600}
    case "$explore" in
    *' -- '* | '-- '*) before=${explore%%-- *} after="-- ${explore#*-- }" ;;
    *) before=$explore after= ;;
    esac
    eval "set -- $before $json"
    timeout "$limit" "$plumb" explore "$file" --preemptions 2 "$@" $after \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    good=yes
    line=$(head -n 1 "$work/out")
    if [ $status -ne "$(status_of "$expect")" ]; then
        wrong "expected '$expect', got status $status: $line"
    elif [ -n "$traces" ]; then
        complete=$(complete_of)
        [ "$complete" = "$traces" ] ||
            wrong "expected $traces traces, got ${complete:-none}: $line"
    elif ! printf '%s\n' "$line" | grep -Eq "^[^ ]*: .*($expect)"; then
        wrong "expected '$expect', got: $line"
    elif [ -n "$says" ] && ! grep -Eq -e "$says" "$work/out"; then
        wrong "the report does not say '$says'"
    elif ! counts_agree; then
        wrong "preemptions are counted in two ways"
    fi
    [ $good = yes ] && return
    sed 's/^/    | /' "$work/out" | head -n "${LINES_SHOWN:-12}"
    sed 's/^/    ! /' "$work/err" | head -n 6
}

failed=0 run=0 skipped=0
while read -r file <&3; do
    cases_of "$file" >"$work/cases"
    while IFS=$us read -r explore expect says traces label needs machine <&4; do
        case $which-$label in
        quick-full | full-) continue ;;
        esac
        if ! has_header "$needs" || ! is_for "$machine"; then
            skipped=$((skipped + 1))
            continue
        fi
        run=$((run + 1))
        explore=$(flags_of "$explore")
        # shellcheck disable=SC2119
        run_case
    done 4<"$work/cases"
done 3<"$work/files"
echo "$compiler: $run cases, $failed not so, $skipped left out"
[ $failed -eq 0 ]
