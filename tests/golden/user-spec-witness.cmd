command -v cc >/dev/null || exit 77
plumb check --quiet --spec max_register.c --witness proof max-register.hist
plumb check --spec max_register.c --verify proof max-register.hist
plumb check --verify proof max-register.hist
