plumb list specs
