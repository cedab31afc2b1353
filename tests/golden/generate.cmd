plumb generate --spec queue --ops 8 --threads 2 --seed 7
plumb generate --spec stack --ops 5 --pending 40 --values 0
plumb generate --spec register:init=0 --ops 4 --overlap 0 --to jsonl --histories 2
