plumb list formats
