# Which file a name means; the library is that of the tree beside the program.
command -v cc >/dev/null || exit 77
mkdir -p tree/bin tree/share/plumb/objects/some here/deep
cp "$(command -v load-target)" tree/bin
library=tree/share/plumb/objects/some
object()
{
    echo "#include <plumb/object.h>"
    echo "static void run(plumb_invocation *i) { (void)i; }"
    echo "PLUMB_OBJECT(.name = \"$1\", .operations = { { OP, run } });"
}
object library >$library/one.c
object file | sed 's/OP/"op"/' >here/thing.c
object deep | sed 's/OP/"op"/' >here/deep/other.c
cat >$library/index <<END
object    Thing-one
source    one.c
flags     -DOP="left"
family    some
spec queue
expect    linearizable
scenario  left()
about     nothing

object    spare
source    one.c
flags     -DOP="spared"
family    some
spec queue
expect    linearizable
scenario  spared()
about     nothing
END
load=$(realpath tree/bin/load-target)
cd here
"$load" Thing-one
"$load" THING_ONE
"$load" thing
"$load" ./thing.c
"$load" deep/other
"$load" deep/missing
"$load" deep/missing.c
"$load" missing.c
"$load" missing.so
"$load" thin
"$load" thing-on
"$load" Thing
"$load" zebra
"$load" ./other
cp thing.c spare.c
"$load" spare
echo text >notes.txt
"$load" ./notes.txt
"$load" .
"$load" ""
cp thing.c -- -dash.c
"$load" ./-dash.c
cp thing.c "a name.c"
"$load" "a name"
