# However little memory there is, that is no error.
plumb verify --memory 1K stack; echo "exit status $?"
plumb verify --memory 1K --json stack; echo "exit status $?"
for size in 1 100 5K 20K 40K 60K 100K 140K; do
    plumb verify -q --memory $size stack
    echo "$size: exit status $?"
done
