plumb verify --simulate --steps 8 --seed 3 stack
printf '1\n9\nx\n2\nu\nq\n' >answers
plumb verify --simulate light.csp <answers
