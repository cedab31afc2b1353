plumb verify --json light.csp
plumb verify --json shann-queue
plumb verify --json stack
plumb verify --json wrong-index.csp
