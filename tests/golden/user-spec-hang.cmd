command -v cc >/dev/null || exit 77
plumb check --spec hangs.c max-register.hist
