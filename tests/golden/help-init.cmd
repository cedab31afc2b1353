plumb help init
