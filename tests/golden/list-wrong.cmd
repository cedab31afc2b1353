plumb list
plumb list objects
