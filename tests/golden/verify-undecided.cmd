# How far it comes depends on how memory is laid out.
plumb verify --memory 1M ms-queue >out
status=$?
sed 's/[0-9]\{3,\}/N/g' out
exit $status
