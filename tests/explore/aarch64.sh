#!/bin/sh
# aarch64.sh BUILD [-p BYTES] [FILE...] - explore on aarch64, by emulation.
#
# plumb and plumb-host are built in BUILD with aarch64-linux-gnu-gcc and run by
# qemu-aarch64; compilers and objdump, which plumb starts, are this machine's.
# Then all quick targets and programs, or the targets FILE..., must end as they
# do elsewhere (run.sh).  With -p pages have that many bytes.
#
# Libraries that plumb links to, popt and (if it is there) libdw, are looked for
# where the compiler does, then in $AARCH64_ROOT, which aarch64-root.sh fills.
# 77: a compiler, the emulator or popt is not here.
set -u

[ $# -ge 1 ] || { echo "usage: aarch64.sh BUILD [-p BYTES] [FILE...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
triple=aarch64-linux-gnu
mkdir -p "$1" || exit 2
build=$(cd "$1" && pwd)
root=$(realpath -m "${AARCH64_ROOT:-$build-root}")
shift
pages=
if [ "${1:-}" = -p ]; then
    pages="-p $2"
    shift 2
fi

for program in $triple-gcc $triple-g++ $triple-objdump qemu-aarch64 cmake; do
    command -v "$program" >/dev/null || exit 77
done
libraries=
for directory in "$root/usr/lib/$triple" "$root/lib/$triple"; do
    [ ! -d "$directory" ] || libraries="$libraries -L$directory"
done
# shellcheck disable=SC2086 # words, here and below
echo 'int main(void) { return 0; }' |
    $triple-gcc -x c - $libraries -lpopt -o "$build/has-popt" 2>/dev/null ||
    exit 77

# An old tag, as the libraries' own libraries are there, too.
flags=
for word in $libraries; do
    flags="$flags -Wl,--disable-new-dtags,-rpath,${word#-L}"
done
build_both()
{
    cmake -S "$here/../.." -B "$build" -DBUILD_TESTING=OFF \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=$triple-gcc -DCMAKE_LIBRARY_ARCHITECTURE=$triple \
        -DCMAKE_LIBRARY_PATH="$root/usr/lib/$triple" \
        -DCMAKE_EXE_LINKER_FLAGS="$flags" &&
        cmake --build "$build" --parallel 2 --target plumb-cli \
            --target plumb-host
}
if ! build_both >"$build/log" 2>&1; then
    tail -n 30 "$build/log"
    exit 1
fi

# What stands in for programs of that machine.
as="$build/as"
mkdir -p "$as" || exit 2
emulate="exec qemu-aarch64 -L /usr/$triple $pages"
cat >"$as/plumb" <<EOF
#!/bin/sh
export PATH="$as:\$PATH" PLUMB_HOST="$as/plumb-host"
$emulate "$build/plumb" "\$@"
EOF
cat >"$as/plumb-host" <<EOF
#!/bin/sh
$emulate "$build/plumb-host" "\$@"
EOF
cat >"$as/objdump" <<EOF
#!/bin/sh
exec $triple-objdump "\$@"
EOF
chmod +x "$as"/* || exit 2

export LIMIT="${LIMIT:-1800}"
run()
{
    "$here/run.sh" -c $triple-gcc "$@"
}
if [ $# -gt 0 ]; then
    run "$as/plumb" "$@"
    exit
fi
run "$as/plumb"
targets=$?
run -d programs "$as/plumb" && [ $targets -eq 0 ]
