#!/bin/sh
# lineup.sh PLUMB - do the faults of Line-Up's subjects show as the table in
# objects/lineup/README.md says?
#
# Each test fails with the preemptions that are stated, with that verdict, and
# not with one fewer.  (The scenarios of the index are explore-library's.)
. "$(dirname "$0")/begin.sh"
readme=$targets/../../../objects/lineup/README.md
tab=$(printf '\t')

spec=
# ends OBJECT TEST PREEMPTIONS VERDICT
ends()
{
    # shellcheck disable=SC2086 # two words, or none
    "$plumb" explore "$1" --test "$2" --preemptions "$3" --no-minimise -q \
        $spec >out 2>&1 </dev/null
    case $(head -n 1 out) in
    "$1: $4" | "$1: $4 in 1 test "*) return ;;
    esac
    echo "$1 '$2', $3 preemptions: not $4, but"
    sed 's/^/    /' out
    failed=1
}

# | letter | `object` | `test` | preemptions | verdict | ...  with \| in tests.
grep '^| [A-L] |' "$readme" | tr -d '`' | sed 's/\\|/!/g' |
    awk -F ' *[|] *' -v OFS="$tab" '{ print $3, $4, $5, $6 }' |
    tr '!' '|' >faults
while IFS=$tab read -r object test preemptions verdict; do
    ends "$object" "$test" "$preemptions" "$verdict"
    [ "$preemptions" -eq 0 ] ||
        ends "$object" "$test" $((preemptions - 1)) 'no violation'
done <faults

# L is intended: it passes with the specification that allows for it.
spec='--spec setlin:barrier:n=2'
for test in 'signal_and_wait() | signal_and_wait()' \
    'signal_and_wait() cancel_token() | signal_and_wait() | add_participant()'; do
    ends lineup-barrier "$test" 2 'no violation'
done

letters=$(sed -n 's/^| \([A-L]\) |.*/\1/p' "$readme" | sort -u | tr -d '\n')
[ "$letters" = ABCDEFGHIJKL ] || { echo "faults $letters"; failed=1; }
exit $failed
