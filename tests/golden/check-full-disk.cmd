[ -e /dev/full ] || exit 77
plumb check --spec queue queue-linearizable.hist >/dev/full
echo $?
plumb check --spec queue queue-linearizable.hist >&-
echo $?
plumb generate --spec queue --ops 10000 >/dev/full
echo $?
plumb convert queue-linearizable.hist - >/dev/full
