plumb list models
