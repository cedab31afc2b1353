plumb
