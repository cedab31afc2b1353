plumb chekc queue.hist
plumb frobnicate
plumb --verbose check
