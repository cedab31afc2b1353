# The wrappers' own help; every other word is the compiler's.
plumb help cc
plumb help c++ | head -2
CC="./no such compiler" plumb cc -c x.c
command -v gcc >/dev/null || exit 77
echo "int f(int x) { return x }" >wrong.c
CC=gcc plumb cc -c wrong.c 2>&1 | grep -c "error: expected"
