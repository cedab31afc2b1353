# A history no search ends with, and an easy one behind it: that is decided.  Beside nine hard objects, too, and -j changes nothing.
hard() { # OBJECT
    i=0
    w=3
    while [ $i -lt 60 ]; do
        echo "$1 add($w) $1$i"
        w=$((w * 2 % 100000007))
        i=$((i + 1))
    done
    echo "$1 get() $1r"
    while [ $i -gt 0 ]; do
        i=$((i - 1))
        echo "$1 ok() $1$i"
    done
    echo "$1 ok(-1) $1r"
}
easy='e inc() A
e ok() A
e get() B
e ok(2) B'
(hard x; echo; echo "$easy") >several.hist
plumb check --quiet --timeout 3 --spec counter several.hist
(for o in a b c d; do hard $o; done; echo "$easy"; for o in f g; do hard $o; done) >objects.hist
plumb check --timeout 60 --spec counter objects.hist
plumb check --timeout 60 --spec counter -j 2 objects.hist >jobs
plumb check --timeout 60 --spec counter objects.hist | cmp - jobs
