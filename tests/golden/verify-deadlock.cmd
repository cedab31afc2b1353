plumb verify -a 1 philosophers.csp
