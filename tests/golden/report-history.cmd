plumb check --spec queue queue-not-linearizable.hist queue-linearizable.hist --quiet --report out.html --svg out.svg
sed -n '/<main>/,/<\/main>/p' out.html
cat out.svg | sed '/<style>/,/<\/style>/d'
plumb check --spec queue queue-linearizable.hist --report out.html
echo "exit $?"
