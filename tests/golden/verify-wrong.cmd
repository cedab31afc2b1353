for arguments in "" "a b" nosuch.csp . /dev/null light.plumb "-a 7 light.csp" \
    "-D X light.csp" "-D X=1 light.csp" "--engine fast light.csp" \
    "--fairness much light.csp" "--count all light.csp" \
    "--steps 3 light.csp" "-q -v light.csp" "--memory few light.csp" \
    "--history h.dat light.csp" wrong-name.csp wrong-index.csp; do
    # shellcheck disable=SC2086 # arguments are words
    plumb verify $arguments
    echo "exit $?"
done
head -c 200 "$(command -v plumb)" >binary.csp
plumb verify binary.csp
