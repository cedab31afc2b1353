#!/bin/sh
# links.sh [ROOT] - links between documents lead somewhere.
#
# Says every link of a document to a file or a heading that does not exist, and
# every document that no way of links leads to from README.md.  Links to the web
# are not tried.  Silent, and 0, if there is none.
set -eu
cd "${1:-$(dirname "$0")/../..}"
find . -name '*.md' -not -path './build*' -not -path './.*' | sed 's#^\./##' |
    LC_ALL=C sort | LC_ALL=C awk '
# As a browser of repositories makes it of a heading.
function anchor_of(heading)
{
    sub(/^#+ */, "", heading)
    gsub(/\]\([^)]*\)/, "]", heading)
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

# docs/a.md and ../b.md are b.md.
function path_from(document, link,    directory)
{
    directory = document
    if (!sub(/\/[^\/]*$/, "", directory))
        directory = ""
    while (sub(/^\.\.\//, "", link))
        if (!sub(/\/[^\/]*$/, "", directory))
            directory = ""
    return directory == "" ? link : directory "/" link
}

function exists(file)
{
    return file in known || system("[ -e \"" file "\" ]") == 0
}

function take_links(text,    link)
{
    gsub(/`[^`]*`/, "", text)
    while (match(text, /\]\([^) ]+\)/)) {
        link = substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
        if (link ~ /^[a-z]+:/)
            continue
        from[++links] = file
        line_of[links] = line
        to[links] = link
    }
}

function read(    text, code)
{
    line = code = 0
    while ((getline text < file) > 0) {
        line++
        if (text ~ /^ *```/)
            code = !code
        else if (code || text ~ /^    /)
            continue
        else if (text ~ /^#+ /)
            anchor[file, anchor_of(text)] = 1
        # A link may be broken after its text.
        if (!code && text !~ /^    /)
            take_links(text)
    }
    close(file)
}

function complain(message)
{
    print message
    bad = 1
}

function check(i,    target, name)
{
    target = to[i]
    name = ""
    if (match(target, /#/)) {
        name = substr(target, RSTART + 1)
        target = substr(target, 1, RSTART - 1)
    }
    target = target == "" ? from[i] : path_from(from[i], target)
    if (!exists(target))
        complain(from[i] ":" line_of[i] ": no such file: " target)
    else if (name != "" && target in known && !((target, name) in anchor))
        complain(from[i] ":" line_of[i] ": no such heading: " to[i])
    leads[from[i], target] = 1
}

{ document[++count] = $0; known[$0] = 1 }

END {
    if (!("README.md" in known))
        complain("README.md: no such file")
    for (d = 1; d <= count; d++) {
        file = document[d]
        read()
    }
    for (i = 1; i <= links; i++)
        check(i)
    reached["README.md"] = more = 1
    while (more) {
        more = 0
        for (d = 1; d <= count; d++)
            for (e = 1; e <= count; e++)
                if (document[d] in reached && !(document[e] in reached) && \
                    (document[d], document[e]) in leads)
                    reached[document[e]] = more = 1
    }
    for (d = 1; d <= count; d++)
        if (!(document[d] in reached))
            complain(document[d] ": no link leads here from README.md")
    exit bad
}'
