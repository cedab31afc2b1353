plumb help simulate
