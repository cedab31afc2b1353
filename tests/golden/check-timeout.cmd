# Nothing ever comes on this standard input.
mkfifo never
exec 3<>never
plumb check --spec queue --timeout 0.2 - <&3
