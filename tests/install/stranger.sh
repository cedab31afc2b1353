#!/bin/sh
# stranger.sh [bare] - what somebody does who has only the sources and README.md.
#
# A copy of the tree is built and installed into a fresh prefix, with an empty
# HOME.  Then README.md and the tutorial are gone through from top to bottom with
# the installed program: what they show is what it prints, and the commands that
# they name work.  `bare` does it in a new Debian 12, with whose compiler the
# numbers of states were counted; for that it needs root,
# debootstrap and a mirror (DEBIAN_MIRROR).  Every command is written to
# stranger.log with its exit status and time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)

fail()
{
    echo "stranger: $*" >&2
    exit 1
}

# did STATUSES COMMAND: run it by a shell, and take the time.
did()
{
    expected=$1
    shift
    begun=$(date +%s)
    status=0
    timeout 1800 sh -c "$*" >"$work/said" 2>&1 </dev/null || status=$?
    printf '%4s s  exit %s  $ %s\n' $(($(date +%s) - begun)) $status "$*" \
        >>"$work/stranger.log"
    case " $expected " in
    *" $status "*) ;;
    *) cat "$work/said" >&2; fail "exit status $status of: $*" ;;
    esac
}

# The commands that a document names without showing what they print; a
# comment ends one, and a server or a recording of somebody's is not at hand.
commands_of()
{
    sed -n 's/^    \(plumb [^#]*[^# ]\) *\(#.*\)*$/\1/p' "$1" |
        grep -v '&$\|queue\.rec\|\.\./\| queue\.c'
}

# ---- in the new world: a tree, a prefix, and nothing else ----

go_through()
{
    tree=$1
    prefix=$2
    work=$3
    export HOME="$work/home" PATH="$prefix/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb
    unset XDG_CACHE_HOME CC CXX CFLAGS CXXFLAGS
    mkdir -p "$HOME" "$work/try"
    cd "$tree"
    did 0 make SETUP="${SETUP-no}" demo
    did 0 make install PREFIX="'$prefix'"
    for document in README.md docs/tutorial.md docs/modelling-language.md; do
        did 0 tests/tools/readme-test "'$prefix/bin/plumb'" $document
    done
    cd "$work/try"
    ln -sf "$tree/examples" examples
    did 0 plumb doctor
    did 0 plumb new my_queue
    did 0 "sed '/pthread_mutex/d' my_queue.c >hasty.c" # a queue without a lock
    did 1 plumb explore hasty.c --report bug.html
    did 0 test -s bug.html
    commands_of "$tree/README.md" | grep -v '^plumb new ' >"$work/commands"
    while read -r command; do
        did "0 1" "$command"
    done <"$work/commands"
    did 0 plumb init
    did 0 make -f plumb.mk
    did 0 make -C "$tree" uninstall
    [ ! -e "$prefix" ] || fail "left in the prefix: $(find "$prefix")"
}

copy_tree()
{
    mkdir -p "$1"
    (cd "$source" && git ls-files -z 2>/dev/null || find . -type f -print0) |
        (cd "$source" && tar --null --ignore-failed-read -T - -cf -) |
        tar -xf - -C "$1"
}

case ${1-} in
inside)
    go_through "$2" "$3" "$4"
    exit ;;
bare)
    [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null ||
        { echo "needs root and debootstrap"; exit 77; }
    top=$(mktemp -d)
    trap 'umount "$top/root/proc" 2>/dev/null; rm -rf "$top"' EXIT
    debootstrap --variant=minbase "${DEBIAN_SUITE:-bookworm}" "$top/root" \
        "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$top/log" 2>&1 ||
        { tail -3 "$top/log"; exit 77; }
    mount -t proc proc "$top/root/proc" || exit 77
    cp /etc/resolv.conf "$top/root/etc" 2>/dev/null || true
    copy_tree "$top/root/src"
    chroot "$top/root" sh -c 'apt-get update -q && apt-get install -qy make' \
        >"$top/log" 2>&1 || { tail -3 "$top/log"; exit 77; }
    status=0
    SETUP=yes chroot "$top/root" /src/tests/install/stranger.sh inside /src \
        /usr/local/plumb /tmp/trial || status=$?
    cat "$top/root/tmp/trial/stranger.log"
    exit $status ;;
*)
    top=$(mktemp -d)
    trap 'rm -rf "$top"' EXIT
    copy_tree "$top/src"
    mkdir "$top/trial"
    status=0
    "$here/stranger.sh" inside "$top/src" "$top/prefix" "$top/trial" ||
        status=$?
    cat "$top/trial/stranger.log"
    exit $status ;;
esac
