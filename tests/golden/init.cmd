mkdir made cmake
cd made
plumb init
echo mine >plumb.mk
plumb init --cpp
cat plumb.mk
plumb explore test_queue.c --quiet --test 'enq(1) | deq()'
cat .github/workflows/plumb.yml
cd ../cmake
touch CMakeLists.txt
plumb init
cat plumb.cmake
plumb init somewhere
