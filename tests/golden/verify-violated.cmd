plumb verify shann-queue
echo "exit $?"
plumb verify --quiet shann-queue
