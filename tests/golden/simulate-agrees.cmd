# Histories of correct objects, decided again by the algorithm as printed.
command -v cc >/dev/null || exit 77
while read -r object spec; do
    plumb simulate -q -c $object -d -p3 -n5 --histories 150 -o $object.hist
    plumb check -q --algorithm wing-gong -s $spec $object.hist |
        sed "s/.*: //" | sort | uniq -c | sed "s/^ *//"
done <<"END"
queue-coarse queue
queue-unbound queue:blocking
michael-scott queue
treiber stack
set set
counter-lock counter
END
