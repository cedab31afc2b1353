plumb help convert
