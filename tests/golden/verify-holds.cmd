plumb verify "$SOURCE/models/stack.csp" >out
sed "s|$SOURCE/||" out
plumb verify --count pat2 --no-por --engine product -q stack
plumb verify -D SIZE=3 -D N=1 stack
