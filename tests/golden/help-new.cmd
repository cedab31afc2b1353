plumb help new
