plumb help view
