plumb simulate queue-coarse --histories 5 -p 1 --quiet </dev/null
echo "exit $?"
plumb simulate queue-coarse --ask --histories 5 -p 1 </dev/null
echo "exit $?"
plumb simulate queue-coarse michael-scott
plumb simulate queue-coarse --ask -d
plumb list specs counter
plumb list specs counter quee
