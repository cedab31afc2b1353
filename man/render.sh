#!/bin/sh
# render.sh PLUMB SCDOC SOURCE PAGE - make a man page.
#
# What the program knows itself, its commands or the options of one, it prints
# in place of the line @ROWS@.
set -eu
name=$(basename "$3" .1.scd)
command=${name#plumb}
"$1" help --man ${command:+"${command#-}"} >"$4.rows"
sed -e "/^@ROWS@\$/{r $4.rows" -e 'd' -e '}' "$3" >"$4.scd"
"$2" <"$4.scd" >"$4"
rm "$4.rows" "$4.scd"
