plumb help replay
