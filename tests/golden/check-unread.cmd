# What the budget leaves no time for is undecided, however it is told.
mkfifo never
exec 3<>never
plumb check --spec queue --timeout 0.1 - never <&3
plumb check --spec queue --timeout 0.1 --json - never <&3
