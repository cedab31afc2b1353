#!/bin/sh
# run.sh [-j N] BUILD... - run the tests of each build directory.
#
# The last line is `N passed, N failed`, and `, N skipped` if any were; the
# exit status is 0 iff none failed.
set -u

jobs=1
while [ $# -gt 0 ]; do
    case $1 in
    -j) jobs=$2; shift 2 ;;
    *) break ;;
    esac
done

# count PATTERN FILE: lines of ctest's JUnit report, which has one per test.
count()
{
    grep -c "$1" "$2" || true
}

passed=0 failed=0 skipped=0
for build; do
    report=$(cd "$build" && pwd)/tests.xml
    rm -f "$report"
    echo "== $build"
    ctest --test-dir "$build" --parallel "$jobs" --output-on-failure \
        --output-junit "$report"
    status=$?
    if [ ! -s "$report" ]; then
        echo "run.sh: $build: ctest gave no report" >&2
        failed=$((failed + 1))
        continue
    fi
    # What neither ran well nor asked to be skipped has failed: a program that
    # was not built, too.
    well=$(count '<testcase .*status="run"' "$report")
    left=$(count '<skipped message="SKIP_' "$report")
    lost=$(($(count '<testcase ' "$report") - well - left))
    [ $status -eq 0 ] || [ $lost -gt 0 ] || lost=1
    passed=$((passed + well)) skipped=$((skipped + left)) failed=$((failed + lost))
done

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ] && [ $passed -gt 0 ]
