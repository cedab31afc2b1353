plumb verify --verbose register-faulty
