plumb help
plumb check --help >option
plumb help check >command
cmp option command
