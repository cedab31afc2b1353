# A specification without end is not gone through far beyond what is needed.
plumb verify endless.csp
