plumb help check
