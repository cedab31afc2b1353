# A test in which only the nemesis did something: there is nothing to explain.
cat >nemesis.edn <<'END'
{:process :nemesis, :type :info, :f :start, :value nil}
{:process :nemesis, :type :info, :f :start, :value "Cut off [:n1]"}
END
printf 'INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n' >nemesis.log
for file in nemesis.edn nemesis.log; do
    plumb check $file
    plumb check --spec queue $file
    plumb monitor $file
    plumb monitor --spec queue - <$file
    plumb convert $file - --to jsonl
    plumb convert $file -
done
plumb check --json nemesis.edn
plumb monitor --json nemesis.edn
plumb check -v nemesis.log
plumb check --witness w nemesis.edn
plumb check --verify w nemesis.edn
# but a log in which nobody did is none
echo "INFO  jepsen.core - Setting up" >chatter.log
plumb check --format jepsen chatter.log
plumb monitor --format jepsen chatter.log
