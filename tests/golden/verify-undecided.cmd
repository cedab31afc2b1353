plumb verify --memory 1M ms-queue
