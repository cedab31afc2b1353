plumb simulate queue-coarse --histories 5 -p 1 --quiet </dev/null
echo "exit $?"
plumb simulate queue-coarse --ask --histories 5 -p 1 </dev/null
echo "exit $?"
plumb simulate queue-coarse michael-scott
plumb simulate queue-coarse --ask -d
plumb list specs counter
plumb list specs counter quee
# Without .setup histories are not independent.
cat >once.c <<'END'
#include <plumb/object.h>
static void get(plumb_invocation *i) { plumb_return(i, 0); }
PLUMB_OBJECT(.name = "C", .spec = "counter", .operations = { { "get", get } });
END
plumb simulate once.c --histories 2 -p 1 2>&1 | sed 's/^note: 2 .*/note: N/'
