#!/bin/sh
# headers.sh VERSION DIRECTORY HEADER... - man pages of the library's headers.
#
# Each header is a page, plumb_NAME.h(3): its opening comment is the
# description, the comments after it are paragraphs, and what they are about
# stands between them as it is in the header.  Each function leads there.
set -eu
version=$1
directory=$2
shift 2
rm -rf "$directory"
mkdir -p "$directory"

# functions HEADER: those that it declares or defines, one a line.
functions()
{
    sed 's|/\*.*\*/||' "$1" |
        awk '/^[a-z].*[ *]plumb_[a-z_]+\(/ && !/^typedef|^ / {
            match($0, /plumb_[a-z_]+\(/)
            print substr($0, RSTART, RLENGTH - 1) }' | LC_ALL=C sort -u
}

for header; do
    page=plumb_$(basename "$header")
    names=$(functions "$header" | sed 's/^/, /' | tr -d '\n')
    awk -v page="$page" -v names="$names" -v version="$version" '
    function literal(text)
    {
        gsub(/\\/, "\\e", text)
        gsub(/-/, "\\-", text)
        sub(/^[.\x27]/, "\\\\\\&&", text)
        return text
    }
    # Text flows; a line that is indented further is a picture.
    function say(text)
    {
        if (text ~ /^ *$/) {
            if (picture) print ".fi"
            picture = 0
            if (!fresh) print ".PP"
            fresh = 1
            return
        }
        if (text ~ /^   / && !picture) { print ".nf"; picture = 1 }
        if (text !~ /^   / && picture) { print ".fi"; picture = 0 }
        print literal(text)
        fresh = 0
    }
    function end_code()
    {
        if (code) print ".fi\n.RE"
        code = 0
    }
    function begin_comment()
    {
        end_code()
        print ".PP"
        fresh = 1
    }
    function end_comment()
    {
        if (picture) print ".fi"
        picture = comment = 0
        print ".PP"
    }
    function take_comment(text)
    {
        last = sub(/ *\*\/ *$/, "", text)
        sub(/^ \* ?/, "", text)
        sub(/^\/\* ?/, "", text)
        if (text ~ /^---- .* ----$/) {
            gsub(/^---- | ----$/, "", text)
            print ".SS " literal(text)
            fresh = 1
        } else if (!(last && text == ""))
            say(text)
        if (last) end_comment()
    }
    NR == 1 {
        about = $0
        last = sub(/ *\*\/$/, "", about)
        sub(/^\/\* [a-z]+\.h - /, "", about)
        sub(/\.$/, "", about)
        print ".TH " page " 3 \"\" \"Plumbline " version "\""
        print ".SH NAME\n" page names " \\- " literal(about)
        print ".SH SYNOPSIS\n.nf\n#include <plumb/" substr(page, 7) ">\n.fi"
        print ".SH DESCRIPTION"
        fresh = comment = 1
        if (last) end_comment()
        next
    }
    comment { take_comment($0); next }
    /^#(if|endif|include)|^#define PLUMB_[A-Z]+_H$|^extern "C"|^#ifdef/ {
        guard = /__cplusplus/
        next
    }
    guard && /^}$/ { guard = 0; next }
    /^\/\*/ { begin_comment(); comment = 1; take_comment($0); next }
    /^$/ && !code { next }
    {
        if (!code) print ".RS 2\n.nf"
        code = 1
        print literal($0)
    }
    END {
        end_code()
        print ".SH SEE ALSO\n.BR plumb (1)"
    }' "$header" >"$directory/$page.3"
    functions "$header" | while read -r name; do
        echo ".so man3/$page.3" >"$directory/$name.3"
    done
done
