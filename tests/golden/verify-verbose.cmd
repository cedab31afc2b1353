without-times plumb verify --verbose register-faulty
