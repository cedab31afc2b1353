# Times of events, in whatever format tells them; nothing is decided by them.
times_of()
{
    plumb check --json --verbose "$@" |
        grep -o '"index":[0-9]*\|"[a-z]*_time":[a-z0-9]*' | tr '\n' ' '
    echo
}
times_of --spec queue timed.jsonl
cat >whole.jsonl <<'END'
{"process":"P1","f":"deq","results":[1],"call":5,"return":9}
{"process":"P2","f":"enq","args":[1],"call":-3,"return":7}
{"process":"P3","f":"deq","call":8,"return":null}
END
times_of --spec queue whole.jsonl
printf '# queue\nenq 1 100 200\ndeq 1 150 300\n' >a.fastlin
times_of --format fastlin --spec queue a.fastlin
cat >a.edn <<'END'
{:process 0 :type :invoke :f :write :value 3 :time 70}
{:process 0 :type :ok :f :write :value 3 :time 90}
{:process 1 :type :invoke :f :read :value nil}
{:process 1 :type :ok :f :read :value 3 :time 95}
END
times_of --spec register a.edn
# one without times has none, and one after it has its own
times_of --spec queue queue-linearizable.hist
plumb check --json --verbose --spec queue queue-linearizable.hist whole.jsonl |
    grep -c _time
