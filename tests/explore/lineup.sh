#!/bin/sh
# lineup.sh PLUMB - do the faults of Line-Up's subjects show as the table in
# objects/lineup/README.md says?
#
# Each test fails with the preemptions that are stated, with that verdict, and
# not with one fewer.  (The scenarios of the index are explore-library's.)
# Deviations pass with the option that allows them, and a fault still fails.
. "$(dirname "$0")/begin.sh"
readme=$targets/../../../objects/lineup/README.md
tab=$(printf '\t')

# ends OBJECT TEST PREEMPTIONS VERDICT OPTION...
ends()
{
    object=$1 test=$2 preemptions=$3 verdict=$4
    shift 4
    "$plumb" explore "$object" --test "$test" --preemptions "$preemptions" \
        --no-minimise -q "$@" >out 2>&1 </dev/null
    case $(head -n 1 out) in
    *": $verdict" | *": $verdict in 1 test "*) return ;;
    esac
    echo "$object '$test', $preemptions preemptions, $*: not $verdict, but"
    sed 's/^/    /' out
    failed=1
}

# | letter | `object` | `test` | preemptions | verdict | ...  with \| in tests.
grep '^| [A-L] | `lineup' "$readme" | tr -d '`' | sed 's/\\|/!/g' |
    awk -F ' *[|] *' -v OFS="$tab" '{ print $3, $4, $5, $6 }' |
    tr '!' '|' >faults
while IFS=$tab read -r object test preemptions verdict; do
    ends "$object" "$test" "$preemptions" "$verdict"
    [ "$preemptions" -eq 0 ] ||
        ends "$object" "$test" $((preemptions - 1)) 'no violation'
done <faults

# H, I and K: alone, and all together with a fault (FLAG), which still shows.
collection=lineup-blocking-collection lineup=$targets/../../../objects/lineup
ends $collection 'add(1) | to_array() count()' 2 'no violation' --nondet count=0
ends $collection 'add(1) | to_array() try_take()' 2 'no violation' \
    --nondet try_take=empty
ends $collection 'add(1) | to_array() count()' 2 'not linearizable' \
    --nondet try_take=empty --async complete_adding
adding='add(1) | complete_adding() is_adding_completed()'
for object in $collection $collection-pre; do
    for strategy in dfs dpor states; do
        ends $object "$adding" 2 'no violation' --async complete_adding \
            --strategy $strategy
        ends $object "$adding" 2 'not linearizable' --strategy $strategy
    done
done
ends $collection "$adding" 2 'not linearizable' --async add
planted()
{
    flag=$1 scene=$2 shows=$3
    shift 3
    ends "$lineup/blocking_collection.c" "$scene" 2 'no violation' "$@"
    ends "$lineup/blocking_collection.c" "$scene" 2 "$shows" "$@" -- "-D$flag"
}
all='count=0,try_take=empty,try_take_1=empty'
planted FAULT_SEMAPHORE 'add(1) try_take() | try_take()' livelock --nondet $all
planted FAULT_REOPEN 'add(1) | complete_adding() is_adding_completed() to_array()' \
    'not linearizable' --nondet $all --async complete_adding

# J: any item may be next.
for test in 'add(10) | add(20) | try_take()' \
    'add(10) to_array() | add(20) to_array()'; do
    ends lineup-bag "$test" 2 'no violation' --spec "$lineup/bag_spec.c"
done
ends lineup-bag 'add(10) | add(20) | try_take()' 2 'no violation' --spec bag
ends lineup-bag 'try_take() | add(10) is_empty()' 2 'no violation' \
    --spec "$lineup/bag_spec.c"
ends lineup-bag-pre 'try_take() | add(10) is_empty()' 2 'not linearizable' \
    --spec "$lineup/bag_spec.c"

# L: all or nobody.
for test in 'signal_and_wait() | signal_and_wait()' \
    'signal_and_wait() cancel_token() | signal_and_wait() | add_participant()'; do
    ends lineup-barrier "$test" 2 'no violation' --spec setlin:barrier:n=2
done

letters=$(sed -n 's/^| \([A-L]\) |.*/\1/p' "$readme" | sort -u | tr -d '\n')
[ "$letters" = ABCDEFGHIJKL ] || { echo "faults $letters"; failed=1; }
exit $failed
