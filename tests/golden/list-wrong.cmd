plumb list
plumb list colours
