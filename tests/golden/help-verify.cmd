plumb verify --help
