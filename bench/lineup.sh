#!/bin/sh
# lineup.sh [-r] [BUILD [ROW...]] - Table 2 of Line-Up, with ours beside it.
#
# "Line-Up: a complete and automatic linearizability checker" (PLDI 2010) tests
# 13 classes in 18 rows: 100 random tests of three threads with three operations
# each, and at most two preemptions.  So does this, with objects/lineup.
#
# A row is measured once and kept in BUILD/lineup: without ROW all that are
# missing are, and then the tables are printed; with ROW (1 to 18, and c1 to c22
# for the other table) only those.  -r measures them again.  Row q is a queue with
# one lock: 100 tests of 3x3 by two processes.
#
# Rows c1 to c22 are of section 5.6, for the same classes and for objects/benign:
# which tests (20 of 2x2) have schedules that are not conflict-serializable, or
# data races, and in which of them Line-Up finds a violation.
#
# Times are of the processor, in milliseconds, as the program that runs a test
# reports them with --verbose: its start, the compiler, minimising and the report
# are not in them.  The paper's are minutes.
#
# The smallest dimension that fails is found by running all tests of 2x1, then of
# 3x1, 2x2 and 2x3, until one fails.
set -eu
again=no
while getopts r option; do
    case $option in
    r) again=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.."
source=$PWD
build=$PWD/${1:-build}
[ $# -eq 0 ] || shift
plumb=$build/plumb
kept=$build/lineup
samples=${SAMPLES:-100}
mkdir -p "$kept"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" # where schedules are written

# number|class|object|their causes, smallest tests|histories: average, maximum|
# phase 1: average, maximum|pass|fail|time to pass|time to fail|bound
paper()
{
    cat <<'TABLE'
1|Lazy Initialization|lineup-lazy||60|68|0.07|0.07|100|0|9.7|-|2
2|ManualResetEvent (Pre)|lineup-manual-reset-event-pre|A:2x3|828|1680|3.31|8.36|93|7|12.9|19.9|2
3|ManualResetEvent|lineup-manual-reset-event||76|133|0.07|0.07|100|0|170.5|-|2
4|SemaphoreSlim|lineup-semaphore-slim||1511|1680|3.91|7.31|100|0|18.1|-|1
5|CountdownEvent|lineup-countdown-event||410|1680|1.20|4.95|100|0|6.3|-|2
6|ConcurrentDictionary|lineup-dictionary||1678|1680|7.02|10.94|100|0|6.8|-|1
7|ConcurrentQueue (Pre)|lineup-queue-pre|B:2x2|1680|1680|6.00|6.33|43|57|33.8|5.7|2
8|ConcurrentQueue|lineup-queue||1680|1680|6.37|6.77|100|0|33.7|-|2
9|ConcurrentLinkedList (Pre)|lineup-linked-list-pre|C:2x2|1674|1680|8.54|12.36|80|20|5.8|2.0|1
10|ConcurrentStack|lineup-stack||1680|1680|3.49|3.68|100|0|1.3|-|2
11|BlockingCollection (Pre)|lineup-blocking-collection-pre|D:2x2 K:2x2|850|1680|4.09|17.84|13|87|109.6|47.4|2
12|BlockingCollection|lineup-blocking-collection|H:2x2 I:3x2 K|259|501|0.07|0.07|43|57|205.3|68.7|2
13|ConcurrentBag (Pre)|lineup-bag-pre|E:2x2 J|1680|1680|4.18|4.52|75|25|1.7|0.4|1
14|ConcurrentBag|lineup-bag|J:2x2|1680|1680|4.05|4.43|87|13|0.6|3.2|2
15|TaskCompletionSource (Pre)|lineup-task-completion-source-pre|F:2x2|1432|1680|7.30|20.26|65|35|32.9|9.4|2
16|TaskCompletionSource|lineup-task-completion-source|G:2x2|1209|1680|5.98|11.95|53|47|53.3|3.7|2
17|CancellationTokenSource|lineup-cancellation-token-source||1680|1680|4.49|5.74|100|0|9.6|-|2
18|Barrier|lineup-barrier|L:2x2|1166|1680|4.10|7.02|22|78|7.0|1.5|2
TABLE
}

# explore ARGUMENT...: its status in $status, what it said in `out` and `err`
explore()
{
    status=0
    nice "$plumb" explore "$@" --verbose >out 2>err </dev/null || status=$?
    case $status in
    0 | 1 | 3) ;;
    *)
        cat err >&2
        exit 2
        ;;
    esac
}

# tests OBJECT: those that RandomCheck draws, one a line.  They are run for this,
# once each: without an execution there is no test.
tests()
{
    explore "$1" --threads 3 --ops 3 --samples "$samples" -k --no-minimise \
        --strategy random --executions 1
    sed -n 's/^note: test [0-9]*: .* schedules in [^:]*: //p' err
}

# measure OBJECT: "status histories waiting phase1 schedules phase2" for each
measure()
{
    tests "$1" >drawn
    while IFS= read -r test; do
        explore "$1" --test "$test" --no-minimise --preemptions 2
        sed -n "s/^note: test 1: \([0-9]*\) serial histories (\([0-9]*\) wait) \
in \([0-9.]*\) ms, \([0-9]*\) schedules in \([0-9.]*\) ms: .*/\
$status \1 \2 \3 \4 \5/p" err
    done <drawn
}

# smallest OBJECT: "2x1 pass TESTS", ... up to the first dimension that fails
smallest()
{
    for dimension in 2x1 3x1 2x2 2x3; do
        explore "$1" --threads ${dimension%x*} --ops ${dimension#*x} \
            --samples 10000 --no-minimise --preemptions 2
        echo "$dimension $status $(grep -c '^note: test [0-9]' err)"
        [ $status -eq 0 ] || return 0
    done
}

# faults OBJECT: the smallest tests of the README: "A 2x3 status milliseconds"
faults()
{
    grep "^| [A-L] | \`$1\` |" "$source/objects/lineup/README.md" |
        sed 's/\\|/!/g' | awk -F ' *[|] *' '{ print $2 "\t" $4 }' |
        tr -d '`' | tr '!' '|' >faults
    while IFS="$(printf '\t')" read -r letter test; do
        explore "$1" --test "$test" --preemptions 2
        echo "$letter $(echo "$test" | awk -F '|' '{
            for (i = 1; i <= NF; i++) {
                n = gsub(/\(/, "", $i); if (n > most) most = n }
            print NF "x" most }') $status" \
            "$(sed -n 's/.* schedules in \([0-9.]*\) ms: .*/\1/p' err)"
    done <faults
}

# plain OBJECT: no option at all: "status seconds", of the processor
plain()
{
    status=0
    nice /usr/bin/time -o time -f '%U %S' "$plumb" explore "$1" \
        >out 2>err </dev/null || status=$?
    echo "$status $(tail -n 1 time | awk '{ print $1 + $2 }')"
}

# objects: those of the table, and then the benign ones
objects()
{
    paper | awk -F '|' '{ print $3 }'
    sed -n 's/^object  *//p' "$source/objects/benign/index"
}

# compare OBJECT: for each test "violations races schedules cyclic conflicts"
compare()
{
    explore "$1" --threads 2 --ops 2 --samples 20 -k --no-minimise \
        --strategy random --executions 1
    sed -n 's/^note: test [0-9]*: .* schedules in [^:]*: //p' err >drawn
    while IFS= read -r test; do
        explore "$1" --test "$test" -k --no-minimise --json \
            --also serializability --executions 50000 --preemptions 2
        echo "compared $(grep -c '"verdict":"\(not lin\|deadl\|livel\|nondet\)' out)" \
            "$(grep -c '"verdict":"data race"' out)" \
            "$(sed -n '1s/.*"serializability":{"schedules":\([0-9]*\),"not_serializable":\([0-9]*\),.*/\1 \2/p' out)" \
            "$(sed -n 1p out | grep -o '"before_at"' | wc -l)"
    done <drawn
}

# queue: what --verbose says of phase 1, and the times of 100 tests
queue()
{
    nice /usr/bin/time -o time -f '%e s, %U s of the processor' \
        "$plumb" explore queue-coarse --spec infer --threads 3 --ops 3 \
        --samples 100 -j 2 --preemptions 2 --verbose >out 2>err </dev/null
    sed -n 's/^note: serial phase/phase 1/p' err
    echo "100 tests by two processes: $(tail -n 1 time)"
}

# subject OBJECT: all that the table has of it
subject()
{
    measure "$1" | sed 's/^/test /'
    faults "$1" | sed 's/^/fault /'
    plain "$1" | sed 's/^/plain /'
    ! paper | grep -q "|$1|[A-L]" || smallest "$1" | sed 's/^/all /'
}

# object_of ROW
object_of()
{
    object=$(objects | sed -n "$1p")
    [ -n "$object" ] || { echo "no row $1" >&2; exit 2; }
    echo "$object"
}

row()
{
    [ $again = yes ] || ! [ -f "$kept/$1" ] || return 0
    case $1 in
    q) queue >row ;;
    c*) compare "$(object_of "${1#c}")" >row ;;
    *) subject "$(object_of "$1")" >row ;;
    esac
    mv row "$kept/$1"
}

# ours ROW: our cells of the table
ours()
{
    awk '
    $1 == "test" && $2 == 3 { undecided++ }
    $1 == "test" {
        n++; histories += $3; if ($3 > most) most = $3
        waits += $4 > 0; phase1 += $5; if ($5 > longest) longest = $5
        if ($2 == 1) { fail++; failing += $7 }
        if ($2 == 0) { pass++; passing += $7; time[pass] = $7 }
    }
    $1 == "fault" && $4 == 1 && !($2 in size) {
        size[$2] = $3; causes = causes (causes ? " " : "") $2 ":" $3 }
    $1 == "all" && $3 == 1 { first = $2 }
    END {
        printf "%s | %s | %.0f | %d | %.2f | %.2f | %d | %d | %s | %s | %d | %s\n",
            causes, first, histories / n, most, phase1 / n, longest, pass, fail,
            pass ? sprintf("%.1f", passing / pass) : "-",
            fail ? sprintf("%.1f", failing / fail) : "-", 2,
            undecided ? undecided " undecided" : waits
    }' "$kept/$1"
}

table()
{
    echo "Times of the paper are minutes, ours are milliseconds of the processor."
    echo
    echo "| class | | causes, smallest test | first to fail | histories avg | max | phase 1 avg | max | pass | fail | passing | failing | bound | tests that block |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    paper | while IFS='|' read -r row class object causes average most phase1 \
        longest pass fail passing failing bound; do
        echo "| $class | paper | $causes | | $average | $most | $phase1 | $longest | $pass | $fail | $passing | $failing | $bound | |"
        [ -f "$kept/$row" ] || continue
        echo "| \`$object\` | ours | $(ours "$row") |"
    done
}

summary()
{
    echo
    for row in $(seq 18); do
        [ -f "$kept/$row" ] || continue
        object=$(object_of "$row")
        ! awk '$1 == "test" && $4 > 0 { found = 1 } END { exit !found }' \
            "$kept/$row" || echo "${object%-pre}"
    done | sort -u >blocking
    echo "classes with tests that block: $(grep -c . blocking) (paper: 5 of 13):" \
        "$(sed 's/^lineup-//' blocking | tr '\n' ' ')"
    cat "$kept"/[0-9]* 2>/dev/null | awk '$1 == "test" && $2 == 0 { print $7 }' | sort -n |
        awk '{ t[NR] = $1 } END { if (NR)
            printf "a passing test: %.1f ms in the median of %d, %.1f ms at most\n",
                t[int((NR + 1) / 2)], NR, t[NR] }'
    cat "$kept"/[0-9]* 2>/dev/null | awk '$1 == "test" { if ($5 > m) m = $5 }
        END { printf "phase 1: %.2f ms at most\n", m }'
    [ ! -f "$kept/q" ] || sed 's/^/queue-coarse: /' "$kept/q"
    echo
    echo "all tests of a dimension, the smallest first:"
    for row in $(seq 18); do
        [ -f "$kept/$row" ] || continue
        object=$(object_of "$row")
        awk -v object="$object" '
        $1 == "fault" { fault = fault sprintf(" %s(%s) %s %.1f ms;", $2, $3,
            $4 == 1 ? "fails in" : "PASSES in", $5) }
        $1 == "plain" { plain = sprintf("without options: %s, %.1f s",
            $2 == 1 ? "violation" : $2 == 0 ? "passes" : "undecided", $3) }
        $1 == "all" { all = all sprintf(" %s: %s;", $2,
            $3 == 0 ? ($4 < 10000 ? "all " : "") $4 " pass" : "test " $4 " fails") }
        END { print "  " object ":" all fault " " plain }' "$kept/$row"
    done
}

# A test of which there is a report, although Line-Up has nothing against it: a
# false alarm, as far as answers go.
comparison()
{
    echo
    echo "| object | tests | violation | not serializable | conflicts | data race | false alarms |"
    echo "|---|---|---|---|---|---|---|"
    objects | awk '{ print "c" NR, $1 }' | while read -r row object; do
        [ -f "$kept/$row" ] || continue
        awk -v object="$object" '{
            n++; wrong += $2 > 0; race += $3 > 0; cyclic += $5 > 0
            if ($6 > most) most = $6
            alarms += ($5 > 0 || $3 > 0) && !$2
        } END {
            print "| `" object "` | " n " | " wrong + 0 " | " cyclic + 0 \
                " | " most + 0 " | " race + 0 " | " alarms + 0 " |"
        }' "$kept/$row"
    done
}

[ $# -gt 0 ] || set -- $(seq 18) q $(seq -f 'c%.0f' 22)
for row in "$@"; do
    row "$row"
done
table
summary
comparison
