#!/bin/sh
# architecture.sh [ROOT] - docs/ARCHITECTURE.md names every file of the product.
#
# Under a heading that is a folder (### `src/base`), the first cell of each row
# of a table has names, or patterns as of the shell, of files in it.  Says every
# file that no row names, every name and pattern that matches no file, every
# pattern that says too little, and every source that is mentioned elsewhere on
# the page and does not exist.  Silent, and 0, if there is none.
set -eu
cd "${1:-$(dirname "$0")/../..}"
page=docs/ARCHITECTURE.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/wrong"

# wrong MESSAGE...
wrong()
{
    echo "$page:$*" >>"$work/wrong"
}

# LINE KIND FOLDER WORD for each word in backticks: KIND is `row` in the first
# cell of a row under the heading of FOLDER, else `text`.
words()
{
    awk '
        /^```/ { code = !code }
        code { next }
        /^#/ {
            folder = ""
            if (match($0, /^#+ `[^`]+`$/)) {
                folder = $0
                gsub(/^#+ `|`$/, "", folder)
                print NR, "folder", folder, "-"
            }
            next
        }
        {
            first = folder != "" && /^\| `/
            n = split($0, part, "`")
            for (i = 2; i < n; i += 2) {
                if (part[i - 1] ~ /\|/ && i > 2)
                    first = 0
                if (part[i] !~ / /)
                    print NR, first ? "row" : "text", folder == "" ? "-" : folder, part[i]
            }
        }' "$page"
}

# Is there a file, or one that a pattern stands for?  They go to $work/named.
exists()
{
    for file; do
        [ -f "$file" ] || return 1
        echo "$file" >>"$work/named"
    done
}

# What a pattern says without its wildcard must tell what the files are about.
is_specific()
{
    case $1 in
    \** | ?\** | ??\**) false ;;
    esac
}

# A name somewhere in a sentence: a path from the root, from src or as included,
# or the name of a file anywhere.
mentioned()
{
    case $1 in
    */*)
        for at in "" src/ include/; do
            # shellcheck disable=SC2086 # a pattern
            set -- "$1" $at$1
            [ ! -f "$2" ] || return 0
        done
        false ;;
    *)
        grep -qE "/$(echo "$1" | sed 's/\./\\./g; s/\*/[^\/]*/g')\$" "$work/all" ;;
    esac
}

find src app runtime host cli assembler include -type f 2>/dev/null |
    LC_ALL=C sort >"$work/files"
find tests -name '*.[ch]' 2>/dev/null | cat - "$work/files" >"$work/all"
: >"$work/named"
words >"$work/words"
while read -r line kind folder word; do
    case $kind,$word in
    folder,*) [ -d "$folder" ] || wrong "$line: no such folder: $folder" ;;
    row,*)
        is_specific "$word" || wrong "$line: a pattern that says too little: $word"
        # shellcheck disable=SC2086 # a pattern
        exists $folder/$word || wrong "$line: no such file: $folder/$word" ;;
    text,*.[ch] | text,*.'[ch]')
        mentioned "$word" || wrong "$line: no such file: $word" ;;
    esac
done <"$work/words"
LC_ALL=C sort -u "$work/named" | LC_ALL=C comm -23 "$work/files" - |
    sed "s#^#$page: does not name #" >>"$work/wrong"
[ -s "$work/files" ] || wrong " no sources here"
cat "$work/wrong"
[ ! -s "$work/wrong" ]
