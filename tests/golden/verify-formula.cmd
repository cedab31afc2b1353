plumb verify light.csp
echo "exit $?"
plumb verify -q -a 1 --fairness strong light.csp
