#!/bin/sh
# wrong_objects.sh PLUMB - what is wrong with an object is said of the file that
# was given, not of what was made of it, and of no option that was not given.
. "$(dirname "$0")/begin.sh"

cat >object.c <<'END'
#include <plumb/object.h>
static void get(plumb_invocation *i)
{
    plumb_return(i, 0);
}
PLUMB_OBJECT(.name = "Q", .spec = SPEC, .operations = { OPERATIONS });
END

# says TEXT SPEC OPERATIONS [OPTION...]
says()
{
    text=$1 spec=$2 operations=$3
    shift 3
    timeout 600 "$plumb" explore object.c "$@" -- "-DSPEC=\"$spec\"" \
        "-DOPERATIONS=$operations" >out 2>&1 </dev/null
    status=$?
    [ $status -eq 2 ] && grep -q "^$text" out && ! grep -q cache out && return
    echo "status $status, or it does not say '$text':"
    cat out
    failed=1
}

says 'object.c: its .spec queu: unknown' queu '{ "get", get }'
says 'plumb explore: --spec stak: unknown' queu '{ "get", get }' --spec stak
says 'object.c: its PLUMB_OBJECT has no .operations' queue '{ 0 }'
long=enqueue_to_the_left_end_of_the_queue
says "object.c: the name of an operation is longer than 31 bytes: $long" queue \
    "{ \"$long\", get }"

# Names of C++ are as they were written.
cat >files.cpp <<'END'
#include <filesystem>
int main()
{
    return std::filesystem::exists("x");
}
END
timeout 600 "$plumb" explore files.cpp >out 2>&1 </dev/null
if command -v c++filt >/dev/null && ! grep -q 'calls .*std::filesystem::status(' out; then
    echo "the name of a function is not said as it was written:"
    cat out
    failed=1
fi

# A variable that nobody defines is in a source file that was not given.
echo 'extern int rest; int main(void) { return rest++; }' >lacks.c
echo 'int rest;' >rest.c
timeout 60 "$plumb" explore lacks.c >out 2>&1 </dev/null
if [ $? -ne 2 ] || ! grep -q '^lacks.c: uses the undefined variable (or function) rest; add the source file that defines it after .--.$' out ||
    ! timeout 60 "$plumb" explore lacks.c -- rest.c >>out 2>&1 </dev/null; then
    echo "an undefined variable is not said to be one:"
    cat out
    failed=1
fi
exit $failed
