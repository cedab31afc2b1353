# Long names and many processes: no line is longer than the screen, and no
# column runs into the next.
cat >long.csp <<'M'
var a_very_long_variable_name_indeed[4];
var another_quite_long_variable_name = 0;
PhilosopherWithAVeryLongName(i, j, k) = think_about_something_long.i.j.k{a_very_long_variable_name_indeed[i] = j; another_quite_long_variable_name = k} -> PhilosopherWithAVeryLongName(i, j, k);
Sys() = ||| i:{0..3} @ PhilosopherWithAVeryLongName(i, i, i);
Two() = ||| i:{0..1} @ PhilosopherWithAVeryLongName(i, 1000000, i);
SpecificationWithALongNameToo() = [] i:{0..3}; j:{0..3}; k:{0..3} @ (think_about_something_long.i.j.k -> Stop);
#assert Sys() refines SpecificationWithALongNameToo();
#assert Two() refines SpecificationWithALongNameToo();
#assert Sys() |= [] (think_about_something_long.0.0.0 -> <> think_about_something_long.1.1.1) && [] <> think_about_something_long.3.3.3;
M
plumb verify long.csp
cat >many.csp <<'M'
var x = 0;
Philosopher(i) = think.i{x = i} -> eat.i -> Philosopher(i);
Sys() = ||| i:{0..19} @ Philosopher(i);
#define g (x == 13);
#assert Sys() reaches g;
M
plumb verify many.csp
