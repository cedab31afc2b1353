#!/bin/sh
# inline_assembly.sh PLUMB - inline assembly is followed however it comes into a
# target.  If that cannot be, a pass in which it ran is undecided; what was not
# looked at is named.
. "$(dirname "$0")/begin.sh"
[ "$(uname -m)" = x86_64 ] || exit 77

cat >count.h <<'END'
static inline void add(long *p)
{
#if defined(HIDDEN)
    __asm__ volatile(".byte 0x48, 0xff, 0x07" : : "D"(p) : "memory");
#elif !defined(PLAIN)
    __asm__ volatile("incq %0" : "+m"(*p) : : "memory");
#else
    __atomic_fetch_add(p, 1, 5);
#endif
}
END
cat >two.c <<'END'
#include <pthread.h>
#include <stdlib.h>
long count, steps;
void add_one(void);
static void *run(void *p)
{
    __atomic_fetch_add(&steps, 1, 5);
    add_one();
    return p;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    if (__atomic_load_n(&count, 5) != 2)
        abort();
    return 0;
}
END
cat >part.c <<'END'
#include "count.h"
extern long count;
void add_one(void);
void add_one(void) { add(&count); }
END
cat >part.cpp <<'END'
#include "count.h"
extern long count;
extern "C" void add_one() { add(&count); }
END
cat >part.s <<'END'
.globl add_one
add_one:
    movq count@GOTPCREL(%rip), %rax
    incq (%rax)
    ret
.section .note.GNU-stack,"",@progbits
END
{ echo '#define ADD incq'; sed 's/incq/ADD/' part.s; } >part.S
sed 's/^add_one:/add_one: # \x00/' part.s >zero.s

# expect STATUS REGEX ARGUMENT... - explore so.
expect()
{
    wanted=$1 regex=$2
    shift 2
    timeout 120 "$plumb" explore "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$wanted" ] && grep -qE "$regex" out && return
    echo "${CC:-cc}: explore $*: status $status, not $wanted and '$regex'"
    cat out err
    failed=1
}

seen='undecided \(inline assembly is not seen: '
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    cxx=g++
    [ $compiler = gcc ] || cxx=clang++
    export CC=$compiler CXX=$cxx
    expect 1 "load count → 0  *count\.h:6" two.c -- part.c
    in_s='part\.s:4' in_S='part\.S:' # clang has no lines of those
    [ $compiler = gcc ] || in_s= in_S=
    expect 1 "load count → 0  *$in_s" two.c -- part.s
    expect 1 "load count → 0  *$in_S" two.c -- part.S
    expect 1 'load count → 0' two.c -- zero.s # a zero byte in a comment
    expect 3 "${seen}count\.h:4\)" two.c -- part.c -DHIDDEN
    expect 0 'two: no violation' two.c -- part.c -DPLAIN
    # LTO, pipes, no debug information.
    expect 1 "load count → 0  *count\.h:6" two.c -- part.c -flto
    expect 1 'aborted' two.c -- part.c -pipe -g0
    expect 3 "${seen}" two.c -- part.c -DHIDDEN -pipe -g0
    if command -v $cxx >/dev/null; then
        expect 1 "load count → 0  *count\.h:6" two.c -- part.cpp
        expect 0 'two: no violation' two.c -- part.cpp -DPLAIN
    fi

    # Compiled elsewhere: by plumb cc, or without it.
    "$plumb" cc -fPIC -g -c part.c -o part.o || failed=1
    expect 1 "load count → 0  *count\.h:6" two.c -- part.o
    "$plumb" cc -fPIC -g -shared two.c part.c -o both.so || failed=1
    expect 1 "load count → 0  *count\.h:6" ./both.so
    "$plumb" cc -fPIC -g -shared -DHIDDEN two.c part.c -o both.so || failed=1
    expect 3 "${seen}count\.h:4\)" ./both.so
    $compiler -fsanitize=thread -fPIC -DPLAIN -c part.c -o part.o || failed=1
    expect 0 'not searched for inline assembly' two.c -- part.o
    expect 0 '"assembly_looked_for":false' two.c --json -- part.o
    "$plumb" cc -fPIC -DPLAIN -c part.c -o part.o || failed=1
    expect 0 'two: no violation' two.c -- part.o
    ! grep -q 'not searched for' out || { cat out; failed=1; }
done

# What is linked is looked into again when it changes.
unset CC CXX
expect 1 'aborted' two.c -- part.s
sed -i 's/incq/lock incq/' part.s
expect 0 'two: no violation' two.c -- part.s

# Without the program in front of the assembler neither.
if PLUMB_AS_DIRECTORY=/nowhere "$plumb" explore two.c -- part.c 2>err ||
    ! grep -q "/nowhere/as: plumb's assembler not found" err; then
    cat err
    failed=1
fi

# Without a disassembler nobody knows.
mkdir none
printf '#!/bin/sh\nexit 1\n' >none/objdump
chmod +x none/objdump
PATH="$work/none:$PATH"
expect 3 'undecided \(cannot search' two.c -- part.c -DPLAIN
exit $failed
