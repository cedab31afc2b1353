#!/bin/sh
# aarch64.sh BUILD [FILE...] - explore on aarch64, by emulation.
#
# plumb and plumb-host are built in BUILD with aarch64-linux-gnu-gcc and run by
# qemu-aarch64; compilers and objdump, which plumb starts, are this machine's.
# Then all quick targets and programs, and some that clang compiled if it is
# here, must end as they do elsewhere (run.sh); or only the targets FILE...
#
# Libraries that plumb links to, popt and (if it is there) libdw, are looked for
# where the compiler does, then in $AARCH64_ROOT, which aarch64-root.sh fills if
# they are not there.  77: a compiler, the emulator or popt is not here.
set -u

[ $# -ge 1 ] || { echo "usage: aarch64.sh BUILD [FILE...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
triple=aarch64-linux-gnu
mkdir -p "$1" || exit 2
build=$(cd "$1" && pwd)
root=$(realpath -m "${AARCH64_ROOT:-$build-root}")
shift

for program in $triple-gcc $triple-g++ $triple-objdump qemu-aarch64 cmake; do
    command -v "$program" >/dev/null || exit 77
done
# Where its libraries are, one a line.
folders()
{
    for directory in "$root/usr/lib/$triple" "$root/lib/$triple"; do
        [ ! -d "$directory" ] || echo "$directory"
    done
}
has_popt()
{
    set --
    while read -r directory; do
        set -- "$@" ${directory:+"-L$directory"}
    done <<END
$(folders)
END
    echo 'int main(void) { return 0; }' |
        $triple-gcc -x c - "$@" -lpopt -o "$build/has-popt" 2>/dev/null
}
has_popt || "$here/aarch64-root.sh" "$root" >"$build/root-log" 2>&1
has_popt || exit 77

# An old tag, as the libraries' own libraries are there, too.
flags=
while read -r directory; do
    [ -z "$directory" ] || flags="$flags -Xlinker --disable-new-dtags \
-Xlinker -rpath -Xlinker \"$directory\""
done <<END
$(folders)
END
build_both()
{
    cmake -S "$here/../.." -B "$build" -DBUILD_TESTING=OFF \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=$triple-gcc -DCMAKE_LIBRARY_ARCHITECTURE=$triple \
        -DCMAKE_LIBRARY_PATH="$root/usr/lib/$triple" \
        -DCMAKE_EXE_LINKER_FLAGS="$flags" &&
        cmake --build "$build" --parallel 2 --target plumb-cli \
            --target plumb-host --target plumb-as
}
if ! build_both >"$build/log" 2>&1; then
    tail -n 30 "$build/log"
    exit 1
fi

# What stands in for programs of that machine.
as="$build/as"
mkdir -p "$as/assembler" || exit 2
emulate="exec qemu-aarch64 -L /usr/$triple"
cat >"$as/plumb" <<EOF
#!/bin/sh
export PATH="$as:\$PATH" PLUMB_HOST="$as/plumb-host"
export PLUMB_AS_DIRECTORY="$as/assembler"
$emulate "$build/plumb" "\$@"
EOF
cat >"$as/plumb-host" <<EOF
#!/bin/sh
$emulate "$build/plumb-host" "\$@"
EOF
cat >"$as/assembler/as" <<EOF
#!/bin/sh
$emulate "$build/assembler/as" "\$@"
EOF
cat >"$as/objdump" <<EOF
#!/bin/sh
exec $triple-objdump "\$@"
EOF
for name in clang clang++; do
    cat >"$as/$triple-$name" <<EOF
#!/bin/sh
exec $name --target=$triple "\$@"
EOF
done
chmod +x "$as"/* "$as"/assembler/as || exit 2

export LIMIT="${LIMIT:-1800}" PATH="$as:$PATH"
failed=0
run()
{
    compiler=$triple-$1
    shift
    "$here/run.sh" -c "$compiler" "$@" || failed=1
}

# Where the compilers differ.
run_clang()
{
    cd "$here/targets" || exit 2
    ! command -v clang >/dev/null ||
        run clang "$as/plumb" by_assembly.c count_*.c cpp_*.cpp wide_swap.c \
            ck_stack_mpmc.c own_locals.c
}

if [ $# -gt 0 ]; then
    run gcc "$as/plumb" "$@"
else
    run_clang
    run gcc "$as/plumb"
    run gcc -d programs "$as/plumb"
fi
exit $failed
