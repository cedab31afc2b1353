# The object that docs/testing-an-object.md is about, and what it says of it.
command -v cc >/dev/null || exit 77
for text in "static bool take" "static void setup" "PLUMB_OBJECT"; do
    sed -n "/^$text/,/^\(}\|.*);\)$/p" hasty_queue.c >lines
    [ -s lines ] || echo "no $text"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$SOURCE/docs/testing-an-object.md" || echo "not told: $line"
    done <lines
done
plumb simulate -c hasty_queue.c -d -p 3 -n 4 --histories 20000 -q >/dev/null
