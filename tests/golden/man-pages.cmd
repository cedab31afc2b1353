# A page has the rows of its command, and names no option that there is not.
for command in check monitor convert generate list new simulate explore replay \
    verify view doctor init; do
    page=$SOURCE/man/plumb-$command.1.scd
    grep -c -x "@ROWS@" "$page"
    plumb help $command | grep -o -e "--[a-z][a-z-]*" | sort -u >told
    grep -o -e "\*--[a-z-][a-z-]*\*" "$page" | tr -d "*" | sort -u >written
    comm -13 told written
done
plumb help --man replay
plumb help --man | head -6
plumb help --man nosuch
