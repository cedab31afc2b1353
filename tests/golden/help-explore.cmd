plumb help explore
plumb help replay
