command -v cc >/dev/null || exit 77
plumb check --spec crashes.c max-register.hist
plumb check --spec overflows.c max-register.hist
plumb check --spec exits.c max-register.hist
