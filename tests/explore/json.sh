#!/bin/sh
# json.sh PLUMB - what people read of a violation, programs can read, too.
. "$(dirname "$0")/begin.sh"
command -v python3 >/dev/null || exit 77

# tells TARGET PYTHON: of the object `j`, which is true.
tells()
{
    "$plumb" explore "$targets/$1" --preemptions 2 --json >out 2>err </dev/null
    python3 -c '
import json, sys
j = json.load(open("out"))
threads = {line.get("thread") for line in j["interleaving"]}
def by(*what):
    return [[d.get(k) for k in ("does", "place")] for d in j["deeds"]] == [
        list(w) for w in what]
sys.exit(not eval("(%s)" % sys.argv[1]))' "$2" && return
    echo "$1: not so: $2"
    cat out err
    failed=1
}

tells race_twice.c 'j["object"] == "shared" and
    [d["thread"] for d in j["deeds"]] == ["T0", "T1"] and
    by(("writes", "race_twice.c:34"), ("writes", "race_twice.c:24"))'
tells race_twice.c '{"T0", "T1"} <= threads and any(
    line["place"] == "race_twice.c:34" and line["step"] == 1
    for line in j["interleaving"] if line["kind"] == "event")'
tells abba.c '{(w["thread"], w["holds"], w["waits_for"], w["holder"])
    for w in j["waiting"] if "holds" in w} == {
    ("T1", "fork_lock", "knife_lock", "T2"),
    ("T2", "knife_lock", "fork_lock", "T1")}'
tells lost_wakeup.c '[w["signals"] for w in j["waiting"]
    if w["waits_for"] == "happened"] == [1]'
tells freed_node.c 'j["object"] == "cell#2.below" and
    [d["does"] for d in j["deeds"]] == ["allocated", "freed", "uses"]'
tells index_overflow.c 'len(j["deeds"]) == 2 and j["object"] == "heap#1" and
    j["deeds"][1]["place"].startswith("index_overflow.c:")'
tells lost_update.c 'by(("assertion failed", "lost_update.c:35"))'
tells never_set.c 'j["verdict"] != "livelock" or j["cycle"] > 0'
exit $failed
