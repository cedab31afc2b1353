# Every option of a command is in its man page, and the other way round.
for command in check convert generate list new simulate explore replay verify; do
    plumb help $command | grep -o "^[ U].*--[a-z-]*" | grep -o -e "--[a-z][a-z-]*" |
        sort -u >told
    grep -o -e "\*--[a-z-][a-z-]*\*" "$SOURCE/man/plumb-$command.1.scd" |
        tr -d "*" | sort -u >written
    diff told written
done
