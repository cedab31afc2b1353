# read-index.awk - the entries of an index of objects, one a line.
#
# Prints
#   line|object|source|flags|expect|preemptions|init|scenario|final|options|weak
# with tabs for the bars, and - for what is left out.
# Complains on stderr, as file:line: message, of whatever is not an entry as
# objects/README.md has it; the status is then 1.

function complain(line, message)
{
    printf "%s:%d: %s\n", FILENAME, line, message > "/dev/stderr"
    bad = 1
}

function need(key)
{
    if (!(key in value))
        complain(first, "the entry has no " key)
}

function given(key)
{
    return key in value ? value[key] : "-"
}

function check_entry(    faulty)
{
    split("object source family spec expect scenario about", needed, " ")
    for (i = 1; i <= 7; i++)
        need(needed[i])
    if (given("object") !~ /^[a-z0-9][a-z0-9-]*$/)
        complain(first, "no name of an object: " given("object"))
    if (named[given("object")]++)
        complain(first, given("object") " is there twice")
    if (given("expect") !~ /^(linearizable|violation|weak|stuck)$/)
        complain(first, "nothing to expect: " given("expect"))
    faulty = given("expect") ~ /^(violation|weak)$/
    if (faulty)
        need("preemptions")
    if (given("expect") ~ /^(linearizable|stuck)$/ && "weak" in value)
        complain(first, "a weaker specification of what " given("expect"))
    if (given("expect") == "linearizable" && "preemptions" in value)
        complain(first, "preemptions of what does not fail")
    if ("preemptions" in value && value["preemptions"] !~ /^[0-9][0-9]?$/)
        complain(first, "no number of preemptions: " value["preemptions"])
}

function end_entry()
{
    if (!first)
        return
    check_entry()
    printf "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", first,
        given("object"), given("source"), given("flags"), given("expect"),
        given("preemptions"), given("init"), given("scenario"),
        given("final"), given("options"), given("weak")
    split("", value)
    first = 0
    entries++
}

BEGIN {
    n = split("object source flags family spec weak expect preemptions init scenario " \
        "final options about", key, " ")
    for (i = 1; i <= n; i++)
        known[key[i]] = 1
}

{ gsub(/[\t\r]/, " "); sub(/^ +/, "") }
/^#/ { next }
/^$/ { end_entry(); next }
{
    if (!first)
        first = FNR
    text = $0
    sub(/^[^ ]+ */, "", text)
    sub(/ +$/, "", text)
    if (!($1 in known))
        complain(FNR, "no such key: " $1)
    else if ($1 in value)
        complain(FNR, "a second " $1)
    else if (text == "")
        complain(FNR, $1 " of nothing")
    value[$1] = text
}

END {
    end_entry()
    if (!entries)
        complain(FNR, "no entries")
    exit bad
}
