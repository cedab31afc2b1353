# The first operations do not tell everything: the specification is chosen by
# all that have come.  (Notes depend on how the pieces are cut.)
monitor()
{
    plumb monitor "$@" 2>&1 | grep -v '^note:'
}
(printf 'x insert(1) A\n'; sleep 0.2; printf 'x ok(true) A\nx member(1) A\n'
 sleep 0.2; printf 'x ok(false) A\n') | monitor
(printf 'x push(1) A\n'; sleep 0.2; printf 'x ok() A\nx pop() A\nx ok(2) A\n') |
    monitor
# of a register with compare-and-set, then not of one
(printf '0 :invoke :read nil\n'; sleep 0.2
 printf '0 :ok :read 0\n1 :invoke :inc nil\n1 :ok :inc nil\n') | monitor -
# in which a key is read that is empty at first, then not of one
(printf '{:process 0 :type :invoke :f :get :key 1}\n'; sleep 0.2
 printf '{:process 0 :type :ok :f :get :key 1 :value ""}\n'
 printf '{:process 0 :type :invoke :f :delete :key 1}\n') >map.edn
plumb check map.edn 2>&1 | grep -v '^note:'
monitor - <map.edn
# never enough
(printf 'x insert(1) A\n'; sleep 0.2; printf 'x ok(true) A\n') | monitor
