for ending in hist jsonl plumb; do
    plumb verify -q --history "h.$ending" shann-queue
    plumb check -q "h.$ending"
done
cat h.hist
plumb verify -q --history set.jsonl -D K=2 -D CHECKED=0 lazy-list
plumb check -q set.jsonl
plumb verify -q --history register.hist register-faulty
plumb check --spec register:init=2 register.hist
plumb verify -q --history h.hist shann-queue
plumb verify -q --history none.hist stack
plumb verify --history none.hist light.csp >out
