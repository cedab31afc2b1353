# What names and files contain must not steer the terminal.
esc=$(printf '\033')
cp queue-linearizable.hist "red${esc}[31m"
plumb check "red${esc}[31m"
plumb check "none${esc}[31m"
plumb check --spec "queue${esc}[31m" queue-linearizable.hist
printf 'q enq\033[31m(1) P1\nq ok() P1\n' >name.hist
plumb check --spec queue name.hist
plumb check name.hist
plumb convert name.hist "out${esc}[31m"
printf 'plumb-witness 1\nhist\033[31mory 1: linearizable\n' >proof
plumb check --verify proof queue-linearizable.hist
plumb check --witness proof.txt queue-linearizable.hist
plumb check --verify proof.txt "red${esc}[31m"
