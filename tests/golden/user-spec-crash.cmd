command -v cc >/dev/null || exit 77
plumb check --spec choosy.c max-register.hist
plumb check --spec crashes.c max-register.hist
plumb check --spec overflows.c max-register.hist
plumb check --spec exits.c max-register.hist
plumb check --spec unsteady.c max-register.hist
