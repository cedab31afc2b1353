command -v cc >/dev/null || exit 77
plumb check --spec max_register.c max-register.hist
plumb check --spec max_register.c max-register.hist --verbose
sed "s/ok(5)     P2/ok(4)     P2/" max-register.hist >wrong.hist
plumb check --spec max_register.c wrong.hist
ls "$XDG_CACHE_HOME/plumb" | grep -c so
