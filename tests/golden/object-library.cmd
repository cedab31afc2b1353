# Every object of the library compiles without a warning, can be loaded, and has
# the operations and the specification that the index speaks of.
command -v cc >/dev/null || exit 77
export CFLAGS="-std=c11 -Wall -Wextra -Werror"
plumb list objects | sed -n 's/^  \([^ ]*\)  .*/\1/p' | grep . >names
[ -s names ] || echo "there are none"
while read -r name; do
    load-target "$name" >said 2>&1 || { echo "$name:" && cat said; }
    spec=$(plumb list objects "$name" | sed -n 's/^  spec  *//p')
    [ "$spec" != infer ] || spec='no specification'
    grep -qx "$name: [A-Z], $spec" said || { echo "not $spec:" && cat said; }
done <names
