#!/bin/sh
# run.sh PLUMB [CASE...] - see terminal_test.py.
python3 -c "import pty" 2>/dev/null || exit 77
command -v cc >/dev/null || exit 77
exec python3 "$(dirname "$0")/terminal_test.py" "$@"
