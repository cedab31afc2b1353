# An object from sources in C and C++, objects, archives, shared objects.
command -v cc >/dev/null && command -v c++ >/dev/null || exit 77
export CFLAGS="-Wall -Wextra -Werror" CXXFLAGS="-std=c++17 -Wall -Wextra -Werror"
mkdir headers && mv slow_queue.h headers
load-target slow_queue.c -- -I headers slow_queue_parts.c -DROOM=9
load-target --hooked slow_queue -- -DROOM=9 slow_queue_parts.c -Iheaders -lpthread
load-target ./number.cpp -- -I headers
load-target --hooked number.cpp -- -include headers/slow_queue.h -I headers \
    -D WITH_QUEUE -D ROOM=9 slow_queue_parts.c
echo "objects"
cc -fPIC -c -DROOM=9 -I headers slow_queue_parts.c
load-target slow_queue.c -- -I headers slow_queue_parts.o
ar rc libparts.a slow_queue_parts.o
load-target slow_queue.c -- -I headers libparts.a
load-target slow_queue.c -- -I headers -L. -lparts
c++ $CXXFLAGS -fPIC -c -I headers -I "$SOURCE/include" number.cpp
rm number.cpp
load-target number # now it is number.o
cc -shared -fPIC -I headers -I "$SOURCE/include" -DROOM=9 slow_queue.c \
    slow_queue_parts.c -o shared.so
load-target shared.so
load-target ./shared
CC=/nonexistent CXX=/nonexistent load-target shared
