# Transactions are refused by name.
cat >append.edn <<'END'
{:process 0, :type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]]}
{:process 0, :type :ok, :f :txn, :value [[:append :x 1] [:r :y [1]]]}
END
cat >registers.edn <<'END'
{:process 0, :type :invoke, :f :txn, :value [[:w :x 1] [:r :y nil]]}
{:process 0, :type :ok, :f :txn, :value [[:w :x 1] [:r :y 0]]}
END
plumb check append.edn registers.edn
