# Completion for bash: `plumb --complete WORD...` tells what the last may become.
_plumb()
{
    local line current=${COMP_WORDS[COMP_CWORD]}
    [[ $current != = ]] || current=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen -f -- "$current")
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _plumb plumb
