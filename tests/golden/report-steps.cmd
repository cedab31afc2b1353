plumb explore transfer.c --quiet --report out.html
sed -n '/<main>/,/<\/main>/p' out.html | sed "s/transfer-[0-9a-f]*/transfer-N/"
rm out.html
plumb explore transfer.c --quiet --no-source --report out.html
grep -c 'class="code"' out.html
plumb verify light.csp --assert 1 --quiet --report model.html
sed -n '/<main>/,/<\/main>/p' model.html
