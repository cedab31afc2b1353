# Keys of an object that is never empty are shared among threads: that changes nothing.
plumb generate --spec map --operations put,get,remove --ops 200000 --values 40 --threads 8 map.plumb
plumb generate --spec set --ops 140000 --values 40 --threads 8 --violation --seed 4 wrong.plumb
plumb generate --spec map --ops 140000 --values 400 --threads 4 append.plumb
for name in map wrong append; do for jobs in 1 2 3 7; do plumb check -v -j $jobs -w $name.$jobs $name.plumb >$name.out$jobs; cmp $name.1 $name.$jobs; cmp $name.out1 $name.out$jobs; done; head -1 $name.out1; done
for jobs in 1 2 3 7; do plumb check --algorithm monitor -j $jobs append.plumb; done
