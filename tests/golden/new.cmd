# The files that `plumb new` writes compile without a warning and can be loaded.
command -v cc >/dev/null && command -v c++ >/dev/null || exit 77
export CFLAGS="-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
export CXXFLAGS="-std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror"
plumb new my_queue
load-target my_queue.c
load-target --hooked my_queue
plumb new my-queue.2 --cpp
load-target my-queue.2.cpp
CXXFLAGS="-std=c++14 -Wall -Wextra -Werror" load-target my-queue.2.cpp
plumb new third.cc
load-target third.cc
plumb new fourth.c
head -n 1 my_queue.c my-queue.2.cpp third.cc fourth.c
plumb simulate -c my_queue.c -d --histories 300 -q >said || cat said
plumb simulate -c my-queue.2.cpp -d --histories 300 -q >said || cat said
