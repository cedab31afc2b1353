#!/bin/sh
# build.sh SOURCE OBJECT.so [FLAG...] - an object for tests/objects/schedules.
#
# Every access calls a hook, which the program has, as it has what stands in
# for the functions listed below.  What the object calls beside them, the
# program could not follow: it is an error.
set -eu
include=$(dirname "$0")/../../include
source=$1 object=$2
shift 2

wrapped='
    pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock
    pthread_mutex_trylock pthread_mutex_unlock
    mtx_init mtx_destroy mtx_lock mtx_trylock mtx_unlock
    pthread_cond_init pthread_cond_destroy pthread_cond_wait
    pthread_cond_signal pthread_cond_broadcast
    cnd_init cnd_destroy cnd_wait cnd_signal cnd_broadcast
    pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock
    pthread_rwlock_wrlock pthread_rwlock_unlock
    pthread_spin_init pthread_spin_destroy pthread_spin_lock
    pthread_spin_trylock pthread_spin_unlock
    sem_init sem_destroy sem_wait sem_trywait sem_post
    sched_yield thrd_yield usleep nanosleep thrd_sleep
    malloc aligned_alloc posix_memalign calloc free realloc
    memcpy memmove memset'
wraps=
for function in $wrapped; do
    wraps="$wraps -Wl,--wrap=$function"
done

gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -I"$include" \
    -fPIC -O1 -g -fsanitize=thread --param tsan-distinguish-volatile=1 \
    -fno-tree-vectorize "$@" -c "$source" -o "$object.o"
# shellcheck disable=SC2086 # a list of words
gcc -shared $wraps "$object.o" -o "$object"

strange=$(nm -D --undefined-only "$object" | awk '
    $1 != "w" && $2 !~ /^(__tsan_|__wrap_|plumb_)/ &&
    $2 !~ /^(__tls_get_addr|__assert_fail|abort|__stack_chk_fail)(@|$)/ &&
    $2 !~ /^(stderr|fprintf|fputs|fwrite)(@|$)/ &&
    $2 !~ /^(strcmp|strlen|memcmp|strncmp)(@|$)/ { print $2 }')
if [ -n "$strange" ]; then
    echo "$source: cannot be followed into $(echo "$strange" | tr "\n" " ")" >&2
    exit 2
fi
