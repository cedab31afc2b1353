# 0 is one thread per processor, as elsewhere.
plumb verify -q -j 0 stack
plumb verify -q -j 257 stack
