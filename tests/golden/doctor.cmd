plumb help doctor
plumb doctor | sed -n 's/compiler: .*/compiler: .../p; /explore/p'
echo "exit $?"
CC=/nonexistent plumb doctor >out
echo "exit $?"
sed -n '/C compiler/,+1p; /explore/p' out
plumb doctor queue
