# Completion for fish: `plumb --complete WORD...` tells what the last may become.
function __plumb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo "$line"
        end
    end
end
complete -c plumb -f -a '(__plumb_complete)'
