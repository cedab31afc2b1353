# What was compiled is kept, and nothing depends on it.
command -v cc >/dev/null || exit 77
kept()
{
    find "$XDG_CACHE_HOME" -type f | wc -l | tr -d ' '
}
# A compiler that counts how often it compiles.
mkdir bin
cat >bin/counting-cc <<'SH'
#!/bin/sh
[ "$1" = --version ] || echo compiled >>compilations
exec cc "$@"
SH
chmod +x bin/counting-cc
export CC=bin/counting-cc
plumb verify -q --compile always stack
first=$(wc -l <compilations)
[ "$first" -gt 0 ] && [ "$(kept)" -eq "$first" ] && echo "all are kept"
plumb verify -q --compile always stack
[ "$(wc -l <compilations)" -eq "$first" ] && echo "not compiled again"

echo "--- no compiler"
CC=bin/none plumb verify --compile always stack
CC=bin/none plumb verify -q --compile always stack
PATH=$(dirname "$(command -v plumb)") CC=cc plumb verify --compile always stack

echo "--- one that fails"
printf '#!/bin/sh\n[ "$1" = --version ]\n' >bin/none
chmod +x bin/none
CC=bin/none plumb verify --compile always stack
CC=bin/none without-times plumb verify -v stack

echo "--- what is kept is broken"
find "$XDG_CACHE_HOME" -type f | while read -r object; do
    : >"$object"
done
plumb verify -q --compile always stack
[ "$(wc -l <compilations)" -gt "$first" ] && echo "compiled again"
