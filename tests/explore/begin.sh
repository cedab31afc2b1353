# begin.sh - sourced by tests that are given plumb: a folder of their own, which
# goes when they end, a cache of their own, and the same locale for everybody.
# 77: something is not here.
# shellcheck shell=sh disable=SC2034 # for who sources it
set -u
plumb=$(realpath "$1")
[ -x "$plumb" ] && command -v cc >/dev/null || exit 77
targets=$(cd "$(dirname "$0")/targets" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CACHE_HOME="$work/cache" LC_ALL=C.UTF-8
mkdir cache
unset CC CFLAGS
failed=0
