# Options with and without a space, short and long.
command -v cc >/dev/null || exit 77
plumb simulate -cqueue-coarse -squeue -oa.hist -d -q -p2 -n3 --histories=4
plumb simulate -c queue-coarse -s queue -o b.hist -d -q -p 2 -n 3 --histories 4
plumb simulate --object queue-coarse --spec=queue --output c.hist --defaults \
    --quiet --processes=2 --operations 3 --histories 4 --seed 1
wc -l a.hist b.hist c.hist | sed "s/[1-9][0-9]*/N/"
plumb simulate -ipaper-4.1.hist -squeue:blocking -q
plumb simulate -i paper-4.1.hist -s queue:blocking -q
plumb simulate --input=paper-4.1.hist --spec queue:blocking -q
# Without a specification the operations' names tell it, with -d.
plumb simulate -i paper-4.3.hist -d -q
# Plain, without hooks; and a time limit.
plumb simulate -c queue-coarse -d -q --noise 0 --seconds 0.2
# From the standard input, where no answers can come from then.
plumb simulate -i - -s queue:blocking -q <paper-4.1.hist
plumb simulate -i - -d -q <paper-4.3.hist
plumb simulate -i - <paper-4.1.hist
