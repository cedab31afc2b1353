# Registers under keys, as Jepsen prints them, and a read that says early what it
# will find.
cat >keys.edn <<'END'
{:type :invoke, :f :read, :value [5 nil], :process 0, :time 1, :index 0}
{:type :invoke, :f :write, :value [6 1], :process 1, :time 2, :index 1}
{:type :ok, :f :write, :value [6 1], :process 1, :time 3, :index 2}
{:type :ok, :f :read, :value [5 nil], :process 0, :time 4, :index 3}
{:type :invoke, :f :cas, :value [6 [1 2]], :process 1, :time 5, :index 4}
{:type :ok, :f :cas, :value [6 [1 2]], :process 1, :time 6, :index 5}
{:type :invoke, :f :read, :value [6 nil], :process 1, :time 7, :index 6}
{:type :ok, :f :read, :value [6 1], :process 1, :time 8, :index 7}
END
plumb check keys.edn
plumb monitor keys.edn
cat >early.edn <<'END'
{:process 0, :type :invoke, :f :write, :value 3}
{:process 0, :type :ok, :f :write, :value 3}
{:process 0, :type :invoke, :f :read, :value 3}
{:process 0, :type :ok, :f :read, :value 3}
END
plumb check early.edn
plumb monitor early.edn
# of a map they are arguments
cat >map.edn <<'END'
{:process 0, :type :invoke, :f :write, :value ["x" 3]}
{:process 0, :type :ok, :f :write, :value ["x" 3]}
{:process 0, :type :invoke, :f :read, :value "x"}
{:process 0, :type :ok, :f :read, :value 3}
END
plumb check --spec map --witness w map.edn
plumb check --verify w map.edn
plumb monitor --spec map map.edn
plumb monitor map.edn
plumb convert map.edn -
# ... and a witness is for what was read
grep read map.edn | sed 's/ 3}/ nil}/' >read.edn
plumb check --spec map:init=nil --witness w2 read.edn
plumb check --verify w2 read.edn
