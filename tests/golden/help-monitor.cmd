plumb monitor --help
