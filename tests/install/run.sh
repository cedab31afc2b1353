#!/bin/sh
# run.sh BUILD - install BUILD, move the tree, and use it from outside: from C
# and C++, by pkg-config and by find_package, as a program and by its headers.
# Where it is moved to has a path with everything in it that has to be quoted.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
for tool in g++ pkg-config; do
    command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }
done

top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
scratch="$top/a folder, with blanks & ünïcode in it"
mkdir "$scratch"
fail()
{
    echo "install test: $*" >&2
    exit 1
}

# ---- what is installed can be removed, and what was there stays
mkdir -p "$scratch/stage/opt/plumb/bin"
touch "$scratch/stage/opt/plumb/bin/of others"
DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/plumb >/dev/null
[ -x "$scratch/stage/opt/plumb/bin/plumb" ] || fail "nothing is installed"
mkdir "$top/build"
cp "$build/install_manifest.txt" "$top/build/installed"
DESTDIR=$scratch/stage "$here/../../tools/uninstall" "$top/build"
[ "$(find "$scratch/stage" | wc -l)" = 5 ] ||
    fail "left behind: $(find "$scratch/stage")"
rm "$scratch/stage/opt/plumb/bin/of others"

DESTDIR=$scratch/stage cmake --install "$build" --prefix /opt/plumb >/dev/null
mv "$scratch/stage/opt/plumb" "$scratch/moved" # what is installed can be moved
root=$scratch/moved
[ -z "$(find "$scratch/stage" -type f)" ] || fail "files outside of the prefix"
for command in $("$root/bin/plumb" --complete "" | cut -f 1); do
    case $command in
    -*) ;;
    *) ! command -v scdoc >/dev/null ||
        [ -f "$root/share/man/man1/plumb-$command.1" ] ||
        fail "$command has no man page" ;;
    esac
done
for header in "$root"/include/plumb/*.h; do
    [ -f "$root/share/man/man3/plumb_$(basename "$header").3" ] ||
        fail "$header has no man page"
done
for file in include/plumb/plumb.h lib/libplumb-hooks.a lib/libplumb.so \
    lib/pkgconfig/plumb.pc \
    lib/cmake/plumb/plumbConfig.cmake share/doc/plumb/README.md \
    share/doc/plumb/LICENSE share/doc/plumb/docs/explore.md \
    share/bash-completion/completions/plumb share/zsh/site-functions/_plumb \
    share/fish/vendor_completions.d/plumb.fish; do
    [ -f "$root/$file" ] || fail "$file is not installed"
done
if grep -rlF "$build" "$root" --include='*.pc' --include='*.cmake' \
    --include='*.h'; then
    fail "the build directory is named in an installed file"
fi

cat >"$scratch/expected" <<'END'
deq() = 1: linearizable
deq() = 2: not linearizable
END
expect()
{
    LD_LIBRARY_PATH=$root/lib "$@" >"$scratch/actual" || fail "$*: status $?"
    diff "$scratch/expected" "$scratch/actual" || fail "$*: wrong verdicts"
}

# ---- pkg-config
export PKG_CONFIG_PATH="$root/lib/pkgconfig"
flags=$(pkg-config --cflags --libs plumb)
# with_flags COMMAND...: and behind it what pkg-config says, quoted for a shell.
with_flags()
{
    eval "\"\$@\" $flags"
}
with_flags gcc -std=c17 -Wall -Wextra -Werror -o "$scratch/c" "$here/outside.c"
with_flags g++ -std=c++17 -Wall -Wextra -Werror -o "$scratch/cxx" \
    -x c++ "$here/outside.c" -x none
expect "$scratch/c"
expect "$scratch/cxx"
with_flags gcc -o "$scratch/library" \
    "$root/share/doc/plumb/examples/library.c"
[ "$(LD_LIBRARY_PATH=$root/lib "$scratch/library")" = "not linearizable" ] ||
    fail "the example of the library's use is wrong"

# ---- the recorder, from C and C++
example=$root/share/doc/plumb/examples/recorded.c
with_flags gcc -std=c17 -Wall -Wextra -Werror -o "$scratch/record-c" "$example"
with_flags g++ -std=c++17 -Wall -Wextra -Werror -o "$scratch/record-cxx" \
    -x c++ "$example" -x none
for program in record-c record-cxx; do
    (cd "$scratch" && LD_LIBRARY_PATH=$root/lib "./$program" &&
        "$root/bin/plumb" check --spec queue queue.rec) ||
        fail "what $program does is recorded wrongly"
done
tries=0 # its threads may miss each other
until (cd "$scratch" && LD_LIBRARY_PATH=$root/lib ./record-c hasty) &&
    ! "$root/bin/plumb" check -q --spec queue "$scratch/queue.rec" \
        >"$scratch/verdict"; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "a queue without a lock seems right"
done
grep -q "not linearizable" "$scratch/verdict" ||
    fail "a queue without a lock cannot be checked"

# ---- find_package
cmake -S "$here" -B "$scratch/project" -DCMAKE_PREFIX_PATH="$root" >/dev/null
cmake --build "$scratch/project" >/dev/null
expect "$scratch/project/outside-c"
expect "$scratch/project/outside-cxx"
expect "$scratch/project/outside-shared"
readelf -d "$scratch/project/outside-shared" | grep -q 'libplumb\.so\.0' ||
    fail "plumb::shared is not the shared library"

# ---- Python, which finds the library beside the package
if command -v python3 >/dev/null; then
    package=$(find "$root/lib" -type d -name plumbline)
    [ "$(cd "$scratch" && PYTHONPATH=${package%/plumbline} python3 -c "
import plumbline as p
h, = p.read('$root/share/doc/plumb/examples/queue-linearizable.hist')
print(p.check(h, 'queue').verdict)")" = linearizable ] ||
        fail "the Python package does not work"
fi

# ---- a project's own tests, by CMake, by make and by Meson
project="$scratch/project of theirs"
cp -R "$root/share/doc/plumb/examples/project" "$project"
cmake -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="$root" >/dev/null
cmake --build "$project/build" >/dev/null
(cd "$project/build" && XDG_CACHE_HOME="$scratch/cache" ctest) \
    >"$scratch/tests" || fail "plumb_add_test: $(cat "$scratch/tests")"
(cd "$project" && XDG_CACHE_HOME="$scratch/cache" \
    make PLUMB="'$root/bin/plumb'") >"$scratch/tests" ||
    fail "the example of a Makefile: $(cat "$scratch/tests")"
if command -v meson >/dev/null; then
    (cd "$project" && PATH="$root/bin:$PATH" XDG_CACHE_HOME="$scratch/cache" &&
        export PATH XDG_CACHE_HOME && meson setup meson-build &&
        meson test -C meson-build) >"$scratch/tests" 2>&1 ||
        fail "the example of Meson: $(cat "$scratch/tests")"
fi
# a queue that forgets to look is a test that fails
sed -i 's/const bool any = first != behind;/const bool any = true;/' \
    "$project/ring.c"
if (cd "$project/build" && XDG_CACHE_HOME="$scratch/cache" ctest -R ring) \
    >"$scratch/tests"; then
    fail "plumb_add_test passes although the queue is wrong"
fi

# ---- the program, which finds its headers where the tree was moved to
export XDG_CACHE_HOME="$scratch/cache"
examples=$root/share/doc/plumb/examples
"$root/bin/plumb" check --spec queue "$examples/queue-linearizable.hist" ||
    fail "the installed program does not check"
"$root/bin/plumb" check --spec "$examples/max_register.c" \
    "$examples/max-register.hist" ||
    fail "the installed program takes no specification in C"
"$root/bin/plumb" list objects >/dev/null ||
    fail "the installed program has no object library"
[ -f "$root/include/plumb/object.h" ] ||
    fail "the header for objects is not installed"
if "$root/bin/plumb" list objects queue-coarse | grep "source " |
    grep -qvF "$root"; then
    fail "the installed program looks for its objects in the source tree"
fi

# ---- its models, which it finds there as well
listed=$("$root/bin/plumb" list models | cut -d ' ' -f 1)
for model in "$here"/../../models/*.csp; do
    name=$(basename "$model" .csp)
    [ -f "$root/share/plumb/models/$name.csp" ] ||
        fail "the model $name is not installed"
    echo "$listed" | grep -qx "$name" || fail "list models lacks $name"
done
(cd "$scratch" && "$root/bin/plumb" verify -q stack) >"$scratch/verdict" ||
    fail "the installed program does not verify a model"
[ "$(cat "$scratch/verdict")" = "stack: holds" ] ||
    fail "the installed program says $(cat "$scratch/verdict")"
if "$root/bin/plumb" verify -q shann-queue >"$scratch/verdict"; then
    fail "the installed program misses a bug"
fi
"$root/bin/plumb" verify -q --compile always stack 2>"$scratch/said" ||
    fail "the installed program does not verify by compiled C"
[ -z "$(cat "$scratch/said")" ] || fail "$(cat "$scratch/said")"

# ---- compiling with hooks
cat >"$scratch/hooked.c" <<'END'
#include <plumb/object.h>
static volatile int x;
int main(void) { return x++; }
END
CC=gcc "$root/bin/plumb" cc "$scratch/hooked.c" -o "$scratch/hooked" ||
    fail "the installed program does not compile with hooks"
nm "$scratch/hooked" | grep -q 'T __tsan_volatile_write4' ||
    fail "a program that was compiled with hooks lacks them"
"$scratch/hooked" || fail "a program that was compiled with hooks fails"
