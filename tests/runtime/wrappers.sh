#!/bin/sh
# wrappers.sh PLUMB - `plumb cc` and `plumb c++` are the compiler, with hooks.
# shellcheck disable=SC2317 # functions that is() calls
#
# For gcc and clang, as far as they are here: programs, shared objects, every
# way to stop early, several languages, odd names, and what is not compiled.
set -u
plumb=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)/"a b" # a directory with a blank in its name
mkdir "$work"
trap 'rm -rf "${work%/*}"' EXIT
cd "$work" || exit 2
failed=0 tried=0
export LC_ALL=C

# is WHAT COMMAND...: the command succeeds.
is()
{
    what=$1
    shift
    "$@" >out 2>err && return
    echo "wrappers.sh: with $CC: not so: $what" >&2
    cat out err | head -5 | sed 's/^/    /' >&2
    failed=1
}

not()
{
    ! "$@"
}

hooked() # FILE [HOOK]: it calls hooks
{
    nm "$1" | grep -q " U __tsan_${2:-}"
}

whole() # FILE: a program that has its hooks, and no other sanitizer's library
{
    nm "$1" | grep -q " T __tsan_read1" && not hooked "$1" &&
        not grep -q 'libtsan\|libclang_rt' "$1"
}

runs() # PROGRAM STATUS
{
    "./$1"
    [ $? -eq "$2" ]
}

# The wrapper does as the compiler does: output, messages and status.
same_as_compiler() # LANGUAGE ARGUMENT...
{
    language=$1
    shift
    compiler=$CC
    [ "$language" = cc ] || compiler=$CXX
    "$compiler" "$@" >compiler.out 2>compiler.err
    status=$?
    "$plumb" "$language" "$@" >wrapper.out 2>wrapper.err
    [ $? -eq "$status" ] && diff compiler.out wrapper.out &&
        diff compiler.err wrapper.err
}

sources()
{
    cat >main.c <<'END'
#include "counter.h"
int main(int argc, char **argv)
{
    (void)argv;
    return counter_add(argc) + counter_add(2) == 4 ? 7 : 1;
}
END
    cat >counter.c <<'END'
#include "counter.h"
static int counter;
int counter_add(int n)
{
    counter += n;
    return counter;
}
END
    cat >counter.h <<'END'
#ifdef __cplusplus
extern "C"
#endif
int counter_add(int n);
END
    cat >main.cc <<'END'
#include "counter.h"
#include <atomic>
#include <string>
std::atomic<int> n;
int main(int argc, char **)
{
    return std::to_string(counter_add(argc) + n++).size() == 1 ? 7 : 1;
}
END
    cat >object.c <<'END'
#include <plumb/object.h>
static long x;
static void inc(plumb_invocation *i) { plumb_return(i, x++); }
PLUMB_OBJECT(.name = "C", .operations = { { "inc", inc } });
END
    cat >announces.c <<'END'
void __tsan_acquire(void *at);
void __tsan_mutex_pre_lock(void *at, unsigned flags);
void __tsan_mutex_post_lock(void *at, unsigned flags, int recursion);
int main(void)
{
    int lock = 7;
    __tsan_mutex_pre_lock(&lock, 0);
    __tsan_mutex_post_lock(&lock, 0, 0);
    __tsan_acquire(&lock);
    return lock;
}
END
    echo 'int f(void) { return 1 }' >wrong.c
    echo 'int f(int x) { int y; return 1; }' >warned.c
    echo '.globl f' >assembled.s
    cp counter.c 'odd name,%{x}.c'
    cp main.c language
}

programs()
{
    is "a program in one step" "$plumb" cc -O1 main.c counter.c -o one
    is "it has its hooks" whole one
    is "it runs" runs one 7
    is "a program step by step" "$plumb" cc -c main.c counter.c
    is "the steps are hooked" hooked counter.o write4
    is "both halves of x += n" hooked counter.o read4
    is "linking" "$plumb" cc main.o counter.o -o two
    is "the linked one has its hooks" whole two
    is "it runs, too" runs two 7
    is "optimized at link time" "$plumb" cc -flto -O2 main.c counter.c -o lto
    is "and running" runs lto 7
    is "static" "$plumb" cc -static main.c counter.c -o static
    is "static, running" runs static 7
    is "C++ in one step" "$plumb" c++ main.cc -x c counter.c -o cxx
    is "C++ has its hooks" whole cxx
    is "C++ runs" runs cxx 7
    is "C and C++ mixed" "$plumb" c++ main.cc counter.o -o mixed
    is "mixed runs" runs mixed 7
    is "one that knows sanitizers" "$plumb" cc announces.c -o announces
    is "it runs as well" runs announces 7
    is "every access" "$plumb" cc -w "$here/accesses.c" -pthread -o accesses
    is "every access, running" ./accesses
}

shared_objects()
{
    is "a shared object" "$plumb" cc -fPIC -shared counter.c -o libcounter.so
    is "hooks are left to others" hooked libcounter.so write4
    is "that must be complete" "$plumb" cc -fPIC -shared -Wl,-z,defs \
        counter.c -o libdefs.so
    is "or else" "$plumb" cc -fPIC -shared -Wl,--no-undefined counter.c \
        -o libdefs.so
    is "hooks are left to others, still" hooked libdefs.so write4
    is "a program that uses it" "$plumb" cc main.c -L. -lcounter \
        "-Wl,-rpath,$work" -o user
    is "the user runs" runs user 7
    is "one file of many" "$plumb" cc -c counter.c
    is "... joined" "$plumb" cc -nostdlib -r counter.o main.o -o joined.o
    is "joined ones are hooked" hooked joined.o write4
    is "an object under test" "$plumb" cc -fPIC -shared object.c -o object.so
}

arguments()
{
    is "an odd name" "$plumb" cc -c 'odd name,%{x}.c' -o 'odd out.o'
    is "an odd name, compiled" hooked 'odd out.o'
    is "a definition with blanks" "$plumb" cc -c '-DTEXT="a b"' -Werror \
        -include counter.h counter.c
    echo '-c "counter.c" -o from\ file.o' >response
    is "arguments from a file" "$plumb" cc @response
    is "they are obeyed" hooked 'from file.o'
    echo '-shared -fPIC' >nested
    echo '@nested counter.c -o shared-from-file.so' >response
    is "a shared object from a file" "$plumb" cc @response
    is "it has no hooks of its own" hooked shared-from-file.so
    is "a language by name" "$plumb" cc -x c language -x none counter.o -o lang
    is "from the standard input" sh -c "'$plumb' cc -x c -c - -o in.o <main.c"
    is "pipes" "$plumb" cc -pipe -c counter.c
    is "preprocessing" same_as_compiler cc -E -P counter.c
    is "dependencies" same_as_compiler cc -MM counter.c
    is "dependencies on the side" "$plumb" cc -MD -MF side.d -c counter.c
    is "side.d is there" grep -q counter.h side.d
    is "assembly" "$plumb" cc -S counter.c
    is "assembly is hooked" grep -q __tsan_write4 counter.s
    is "assembling" "$plumb" cc -Werror -c assembled.s -o assembled.o
    is "warnings are the compiler's" same_as_compiler cc -Wall -c warned.c
    is "as errors" same_as_compiler cc -Wall -Werror -c warned.c
    is "errors are" same_as_compiler cc -c wrong.c
    is "missing files are" same_as_compiler cc -c nothing.c
    is "no argument at all" same_as_compiler cc
    is "--version" same_as_compiler cc --version
    is "--version of C++" same_as_compiler c++ --version
    is "-dumpmachine" same_as_compiler cc -dumpmachine
    is "-v fails as it does" "$plumb" cc -v
    is "an option without its argument" same_as_compiler cc counter.c -o
    is "a fence is no warning" sh -c \
        "echo 'void f(void) { __atomic_thread_fence(5); }' |
            '$plumb' cc -Wall -Wextra -Werror -x c -c - -o fence.o"
}

# It never runs itself, and says so if there is nothing to run.
itself()
{
    is "CC may be plumb cc" env CC="$plumb cc" "$plumb" cc -c counter.c
    is "or plumb" env CC="$plumb" "$plumb" cc -c counter.c
    ln -s "$plumb" plumb
    is "or a plumb with a blank in its path" env CC="$work/plumb" "$plumb" cc \
        -c counter.c
    ln -s "$(command -v "$CC")" 'a compiler'
    is "or a compiler with one" env CC="$work/a compiler" "$plumb" cc \
        -c counter.c -o blank.o
    is "which makes hooks" hooked blank.o write4
    printf '#!/bin/sh\nexec "%s" cc "$@"\n' "$plumb" >hidden
    chmod +x hidden
    is "and may hide" env CC="sh hidden" "$plumb" cc main.c counter.c -o hid
    is "hidden runs" runs hid 7
    is "a compiler with arguments" env CC="$CC -DX=1" "$plumb" cc -c counter.c
    is "no compiler" not env CC=/nonexistent/cc "$plumb" cc -c counter.c
    is "... is named" sh -c "CC=/nonexistent/cc '$plumb' cc -c counter.c 2>&1 |
        grep -q nonexistent"
}

for CC in gcc clang; do
    command -v $CC >/dev/null || continue
    [ $CC = gcc ] && CXX=g++ || CXX=clang++
    command -v "$CXX" >/dev/null || continue
    tried=$((tried + 1))
    export CC CXX
    rm -rf ./*
    sources
    programs
    shared_objects
    arguments
    itself
done
[ $tried -gt 0 ] || { echo "no compiler here"; exit 77; }
exit $failed
