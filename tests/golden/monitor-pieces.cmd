# Between a call and its return much may come, and the pieces end anywhere.
awk 'BEGIN { for (i = 0; i < 700; i++) {
    v = sprintf("\"value-%d-%040d\"", i, 0); p = i % 5
    printf "{:process %d, :type :invoke, :f :enqueue, :value %s}\n", p, v
    printf "{:process %d, :type :ok, :f :enqueue, :value %s}\n", p, v
    printf "{:process %d, :type :invoke, :f :dequeue, :value nil}\n", p
    printf "{:process %d, :type :ok, :f :dequeue, :value %s}\n", p, v } }' >long.edn
plumb monitor - <long.edn
tr '\n' ' ' <long.edn | plumb monitor -
(echo '['; cat long.edn; echo ']') | plumb monitor -
sed 's/.*:process \([0-9]\).*:type \(:[a-z]*\), :f \(:[a-z]*\), :value \(.*\)}/\1 \2 \3 \4/' long.edn |
    plumb monitor -
(printf '[{:process 0, :type :inv'; sleep 0.2; printf 'oke, :f :read}\n{:process'
 sleep 0.2; printf ' 0, :type :ok, :f :read, :value 3}]') | plumb monitor -
(printf '[1] call pop(x'; sleep 0.2; printf 'y)\n'; sleep 0.2; printf '[1] return') |
    plumb monitor --spec stack
# an error is where it is in the whole
(printf '0 :invoke :read nil\n'; sleep 0.2; printf 'chatter\n1 :ok :read 3\n') |
    plumb monitor -
(printf '[{:process 0, :type :invoke, :f :read}'; sleep 0.2; printf '\n') |
    plumb monitor -
