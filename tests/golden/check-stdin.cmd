plumb check --spec queue - <violations.hist | grep -v "^ "
cat violations.hist | plumb check --spec queue --quiet -- -
