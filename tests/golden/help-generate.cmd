plumb help generate
