: >empty.hist
echo "/* nothing */" >comment.hist
plumb check --spec queue empty.hist comment.hist - </dev/null
