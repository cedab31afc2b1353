plumb help list
