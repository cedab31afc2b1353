echo mine >my_queue.c
plumb new my_queue
plumb new my_queue.c
cat my_queue.c
plumb new my_queue.c --cpp
plumb new
plumb new a b
plumb new ""
plumb new ../up
plumb new sub/queue
plumb new .hidden
plumb new "two words"
plumb new "a;b"
plumb new -- -dash
plumb new --cxx a
plumb new "$(printf '%0300d' 1)" 2>&1 | grep -o "the name is too long"
ls my* a* b* sub 2>/dev/null
mkdir -p full/inside.c && cd full && plumb new inside
