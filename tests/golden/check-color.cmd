plumb check --quiet --color always violations.hist
NO_COLOR=1 CLICOLOR_FORCE=1 plumb check --quiet violations.hist
CLICOLOR_FORCE=1 plumb check --quiet violations.hist
CLICOLOR_FORCE=1 plumb check --quiet --color never violations.hist
