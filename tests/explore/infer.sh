#!/bin/sh
# infer.sh [-v] [-a] PLUMB - do inferred specifications say what the given do?
#
# Objects whose serial runs are right, and whose specification is deterministic:
# --spec infer has the same verdict and sees the same executions and histories.
# -a: with more preemptions, and larger tests.
set -u

verbose=no all=no
while getopts va option; do
    case $option in
    v) verbose=yes ;;
    a) all=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || { echo "usage: infer.sh [-v] [-a] PLUMB" >&2; exit 2; }
# shellcheck source=tests/explore/begin.sh
. "$(dirname "$0")/begin.sh"

# field NAME FILE: not of what was found out by serial executions
field()
{
    sed -n -e 's/"serial":{[^}]*}//' \
        -e "s/.*\"$1\":\"*\([^\",}]*\).*/\1/p" "$2" | head -n 1
}

# explore FILE OPTION...: what is compared
explore()
{
    file=$1
    shift
    timeout "${LIMIT:-600}" "$plumb" explore "$object" --test "$test" \
        ${init:+--init "$init"} ${final:+--final "$final"} \
        --json --no-minimise --races ignore "$@" \
        >"$file" 2>"$file.err" </dev/null
    verdict=$(field verdict "$file")
    echo "$verdict"
    # How many states there are is a matter of the specification.
    [ $strategy = states ] || echo ", $(field executions "$file") executions"
    [ "$verdict" = 'no violation' ] || return
    echo ", complete $(field complete "$file")"
    [ $strategy = states ] || echo ", $(field histories "$file") histories," \
        "$(field stuck "$file") stuck"
}

agree()
{
    run=$((run + 1))
    given=$(explore given --strategy "$strategy" --preemptions "$bound")
    inferred=$(explore inferred --strategy "$strategy" --preemptions "$bound" \
        --spec infer)
    # shellcheck disable=SC2086 # on one line
    [ $verbose = no ] || echo "$object '$test' $strategy $bound:" $given
    case $given in
    [a-z]*) [ "$given" != "$inferred" ] || return ;;
    esac
    echo "not so: $object --test '$test' --init '$init' --final '$final'" \
        "--strategy $strategy --preemptions $bound: $inferred - not $given"
    cat given.err inferred.err
    failed=$((failed + 1))
}

run=0
while IFS='|' read -r which object init test final; do
    case $which in
    '' | '#'*) continue ;;
    long) [ $all = yes ] || continue ;;
    esac
    test=$(printf '%s\n' "$test" | tr / '|')
    for strategy in dpor states dfs; do
        case $all-$strategy in
        yes-*) bounds='0 1 2' ;;
        no-dpor) bounds=2 ;;
        no-states) bounds=1 ;;
        no-dfs) bounds=0 ;;
        esac
        for bound in $bounds; do
            agree
        done
    done
done <<'TABLE'
short|counter-lock||inc() get() / inc()
short|counter-kept||inc() / get() inc()
short|counter-race||inc() get() / inc()
short|counter-race|inc()|inc() / inc()|get()
long|counter-race||inc() / inc() / get()
long|queue-coarse||enq(1) deq() / enq(2) deq()
short|queue-unbound||enq(1) / deq() deq()
short|queue-reread||enq(1) enq(2) / deq()
long|queue-bound|enq(1) enq(2)|enq(3) / deq()|deq() deq() deq()
long|queue-bound|enq(1) enq(2) enq(3)|enq(4) enq(5) / deq()
short|queue-bound-early|enq(1) enq(2) enq(3) enq(4)|enq(5) / deq()
long|herlihy-wing||enq(1) / enq(2) / deq()
long|michael-scott-counted||enq(1) / deq() deq()
long|vyukov-recheck||enq(1) / deq() deq()
short|vyukov||enq(1) / enq(2) deq()
short|buf-ring-full||enq(11) deq() / enq(21)
long|mpsc||enq(1) / enq(2) deq()
long|register||write(1) read() / write(2)
long|register-torn||write(1) write(2) / read()
long|set|insert(2) insert(1)|delete(2) / member(1) insert(2)
short|set-no-lock||insert(1) / insert(1)
long|harris-michael|insert(1)|delete(1) member(1) / insert(2)
short|harris-michael-unmarked|insert(1)|delete(1) / insert(2) member(2)
short|stack-coarse||push(1) pop() / push(2)
short|treiber||push(1) / push(2) pop()
short|treiber|push(1)|push(2) / pop()|pop() pop()
long|chase-lev|push_back(1)|pop_back() / pop_front()
long|multiset|insert(2) insert(1)|delete(2) / count(1)
short|pqueue-bound|insert(2) insert(4)|insert(1) / delmin()
long|b-tree|insert(1,1) insert(3,3)|insert(2,2) / get(3)
long|counter-lock||inc() get() / inc() get() / dec()
long|queue-coarse||enq(1) deq() / enq(2) deq() / deq()
long|queue-unbound||enq(1) deq() / deq() enq(2)
long|michael-scott|enq(1) enq(2)|enq(3) deq() / deq() deq()
long|michael-scott-stale-empty|enq(1) enq(2)|deq() deq() / enq(3) deq()
long|lazy-list|insert(1)|insert(2) delete(1) / delete(2) member(1)
long|lazy-list-no-validation||insert(1) delete(1) / insert(1) member(1)
long|treiber-aba|push(1) push(2)|pop() / pop() pop() push(3)
long|treiber-counted|push(1) push(2) pop()|pop() push(3) / pop()
long|chase-lev-underflow|push_back(1)|pop_back() push_back(2) pop_back() / pop_front()
long|multiset-once|insert(2) insert(1) delete(2)|delete(1) insert(1) / count(1)
long|pqueue-uncoupled|insert(1)|insert(2) insert(3) / delmin() delmin()
long|b-tree-no-right|insert(1,1) insert(3,3)|insert(2,2) insert(4,4) / get(3)
TABLE
echo "$run comparisons, $failed not so"
[ "$failed" -eq 0 ]
