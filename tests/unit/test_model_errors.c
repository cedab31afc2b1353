/* test_model_errors.c - wrong models are refused where they are wrong, with one
 * line that says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "effort.h"
#include "model_texts.h"

#include <stdio.h>
#include <stdlib.h>

static void undefined_names(void **state)
{
    (void)state;
    fails("P() = a -> Q();", 1, 12, "process Q is not defined");
    fails("Process() = a -> Porcess();", 1, 18,
          "process Porcess is not defined; did you mean Process?");
    fails("var count;\nP() = a{cuont = 1} -> Skip;", 2, 9,
          "variable cuont is not defined; did you mean count?");
    fails("P(index) = a.indx -> Skip;", 1, 14,
          "variable indx is not defined; did you mean index?");
    fails("var x; P() = [y == 1] a -> Skip;", 1, 15,
          "variable y is not defined");
    fails("channel ch 0; P() = cn!1 -> Skip;", 1, 21,
          "channel cn is not defined; did you mean ch?");
    fails("P() = c?x -> Skip;", 1, 7, "channel c is not defined");
    fails("P() = a -> b;", 1, 12,
          "b is not a process; if it is an event, '->' must follow");
    fails("var x; P() = a{x = call(mx, 1, 2);} -> Skip;", 1, 25,
          "function mx is not defined; did you mean max?");
    fails("#define twice(i) i*2; var x; P() = a{x = call(twcie, 1);} -> Skip;",
          1, 47, "function twcie is not defined; did you mean twice?");
    fails("#alphabet Q {a}; P() = Skip;", 1, 11, "process Q is not defined");
    fails("P() = Skip; #assert P() linearizable stack(2);", 1, 38,
          "object stack is not defined");
    fails("P() = a{var t = 1; if (t == 1) {var u = 2;} t = u} -> Skip;", 1, 49,
          "variable u is not defined");
    fails("P(i) = ([] k:{0..1}@a.k -> Skip); b.k -> Skip;", 1, 37,
          "variable k is not defined");
}

static void numbers_of_things(void **state)
{
    (void)state;
    fails("P(i) = a -> P();", 1, 13, "P takes 1 argument, not 0");
    fails("P() = a -> P(1, 2);", 1, 12, "P takes 0 arguments, not 2");
    fails("var x; P() = a{x = call(max, 1);} -> Skip;", 1, 25,
          "max takes 2 arguments, not 1");
    fails("#define m(i) i*2; var x; P() = a{x = call(m,3,4)} -> Skip;", 1, 43,
          "m takes 1 argument, not 2");
    fails("#import \"l\"; var x; P() = a{x = call(f,1); x = call(f)} -> Skip;",
          1, 53, "f has 0 arguments here, but 1 at 1:38");
    fails("var a[3]; P() = e{a = 1} -> Skip;", 1, 19,
          "a has 1 dimension, but 0 indices are given");
    fails("var m[3][2]; P() = e{m[1] = 1} -> Skip;", 1, 22,
          "m has 2 dimensions, but 1 index is given");
    fails("var a[3]; P() = e{a[1][2] = 1} -> Skip;", 1, 19,
          "a has 1 dimension, but 2 indices are given");
    fails("var a; P() = e{a[1] = 1} -> Skip;", 1, 16, "a is not an array");
    fails("P() = [] i:{0..1}@ e.i[1] -> Skip;", 1, 22, "i is not an array");
    fails("var x; var a[2]; P() = e{x = call(amax, x)} -> Skip;", 1, 41,
          "amax takes an array, not a value here");
    fails("var x; var a[2]; P() = e{x = call(abs, a)} -> Skip;", 1, 40,
          "abs takes a value, not an array here");
    fails("channel c[2] 0; P() = c!1 -> Skip;", 1, 23,
          "c is an array of channels; give an index");
    fails("channel c 0; P() = c[1]!1 -> Skip;", 1, 20,
          "c is not an array of channels");
    fails("var m[2][2] = [1,2,3];", 1, 15, "m has 4 elements, but 3 are given");
}

static void values_that_cannot_be(void **state)
{
    (void)state;
    fails("var a[3]; P() = e{a[3] = 1} -> Skip;", 1, 21,
          "index 3 is outside of a[3]");
    fails("var m[2][3]; P() = [m[1][0-1] == 0] e -> Skip;", 1, 27,
          "index -1 is outside of m[3]");
    fails("channel c[2] 0; P() = c[2]!1 -> Skip;", 1, 25,
          "index 2 is outside of c[2]");
    fails("var n; P() = ||| i:{0..n}@ a.i -> Skip;", 1, 24,
          "a range can use constants, parameters and indices, not variables");
    fails("var v[2]; P(n) = [] i:{n-v[1], 7}@ a.i -> Skip;", 1, 26,
          "a range can use constants, parameters and indices, not variables");
    fails("channel c 1; P() = (a -> Skip) \\ {i:{0..call(ccount, c)}@ a.i};", 1,
          41,
          "a range can use constants, parameters and indices, not variables");
    fails("#import \"f.so\"; P(n) = [] i:{0..call(f, n)}@ a.i -> Skip;", 1, 33,
          "a range can use constants, parameters and indices, not imported "
          "functions");
    fails("P() = [] i:{0..j}; j:{0..1}@ a.i -> Skip;", 1, 16,
          "variable j is not defined");
    fails("var a[2]; P(n) = [&& i:{0..n}@ (a[i] == 0)] e -> Skip;", 1, 28,
          "a range must be constant");
    fails("P(n:{0..m}, m) = a -> Skip;", 1, 9, "variable m is not defined");
    fails("P(n:{3..1}) = a -> Skip;", 1, 5, "the range 3..1 is empty");
    fails("var a[call(max, 1, 2)];", 1, 7,
          "the size of an array must be constant");
    fails("var n; var a[n];", 1, 14, "an array cannot have size 0");
    fails("var a[n]; var n;", 1, 7, "n is not constant");
    fails("var x = y; var y = 1;", 1, 9, "y is not constant");
    fails("P() = ||| i:{3..1}@a.i -> Skip;", 1, 14, "the range 3..1 is empty");
    fails("P() = [] i:{0..70000}@a.i -> Skip;", 1, 13,
          "the range has more than 65536 values");
    fails("P(n) = ||| i:{3..1, n}@a.i -> Skip;", 1, 15,
          "the range 3..1 is empty");
    fails("P() = |||{0-1}@Skip;", 1, 11,
          "-1 copies; the number cannot be negative");
    fails("var n; P() = |||{n}@Skip;", 1, 18,
          "the number of copies can use constants, parameters and indices, not "
          "variables");
    fails("var x:{0..3} = 4;", 1, 5, "x starts with 4, outside 0..3");
    fails("var a[2]:{0..3} = [1, 9];", 1, 5, "a starts with 9, outside 0..3");
    fails("var x = 99999999999;", 1, 9, "99999999999 does not fit in 32 bits");
    fails("var x = 2147483648;", 1, 9, "2147483648 does not fit in 32 bits");
    fails("var a[0];", 1, 7, "an array cannot have size 0");
    fails("var a[3000][3000];", 1, 13, "the array is too large");
    fails("var a[2] = 1;", 1, 12,
          "an array needs an initial value of the form [...]");
    fails("channel c 0-1;", 1, 11, "invalid channel capacity, -1");
    fails("var a[1/0];", 1, 8, "division by zero");
}

static void events_that_are_not_one_of_several(void **state)
{
    (void)state;
    fails("P() = (a, b{}) -> Skip;", 1, 12,
          "expected ')' after the events, not '{'");
    fails("P() = () -> Skip;", 1, 8, "expected an event, not ')'");
    fails("P() = (a, 3) -> Skip;", 1, 11, "expected an event, not '3'");
    fails("P() = (a b) -> Skip;", 1, 10,
          "expected ')' after the events, not 'b'");
    fails("P() = (a, tau.1) -> Skip;", 1, 11, "tau has no data");
}

static void arrays_that_a_program_cannot_have(void **state)
{
    (void)state;
    fails("P() = a{var t[0];} -> Skip;", 1, 15, "an array cannot have size 0");
    fails("var x; P() = a{var t[x];} -> Skip;", 1, 22,
          "the size of an array must be constant");
    fails("P() = a{var t[2] = [1];} -> Skip;", 1, 20,
          "1 elements are given; the array has 2");
    fails("P() = a{var t[2] = 1;} -> Skip;", 1, 20,
          "an array needs an initial value of the form [...]");
    fails("P() = a{var t = [1(0)];} -> Skip;", 1, 17,
          "an array cannot have size 0");
    fails("P() = a{var t = [1(0-1)];} -> Skip;", 1, 18,
          "invalid repeat count -1");
    fails("var x; P() = a{var t = [x..3];} -> Skip;", 1, 25,
          "a range must be constant");
    fails("P() = a{var t[2]; t[2] = 1;} -> Skip;", 1, 21,
          "index 2 is outside of t[2]");
    fails("P() = a{var t[2]; t = 1;} -> Skip;", 1, 19,
          "t has 1 dimension, but 0 indices are given");
    fails("var x; P() = a{{var t[2];} x = t[0];} -> Skip;", 1, 32,
          "variable t is not defined");
    fails("P() = a{var t[5000000];} -> Skip;", 1, 15, "the array is too large");
}

static void assignments_with_a_name(void **state)
{
    (void)state;
    fails("var x; #define i x++; P() = [i == 1] a -> Skip;", 1, 30,
          "i is a block of statements, not a value");
    fails("var x; #define i x = 1 2; P() = a{i} -> Skip;", 1, 24,
          "expected ';' after the #define, not '2'");
    fails("#define i(v) v = 1; P() = a{call(i, 1)} -> Skip;", 1, 14,
          "v is bound here and cannot be assigned");
}

static void beginnings_that_cannot_be(void **state)
{
    (void)state;
    fails("var x = *;", 1, 9, "x starts with any value; give it a range");
    fails("var x:{0..} = *;", 1, 15,
          "x starts with any value; give it a range");
    fails("var a[17]:{0..1} = *; P() = Skip; #assert P() deadlockfree;", 1, 5,
          "more than 65536 initial states, because of a");
    fails("var x:{0..1} = *; var y = x + 1;", 1, 27,
          "x starts with any value; it cannot be an initial value");
    fails("var a[2]:{0..1} = *; var y = [1, a[0]];", 1, 34,
          "a starts with any value; it cannot be an initial value");
    fails("var x:{0..1} = *; P() = Skip; #assert P() deterministic;", 1, 39,
          "this kind of assertion does not support a variable that starts with "
          "any value: x");
    fails("var x:{0..1} = *; P() = Skip; #assert P() refines P();", 1, 39,
          "this kind of assertion does not support a variable that starts with "
          "any value: x");
}

static void data_of_events_in_formulas(void **state)
{
    (void)state;
    fails("var x; P() = e.1 -> P(); #assert P() |= <> e.x;", 1, 46,
          "event data must be numbers or constants here");
    fails("channel c[2] 1; P() = c[0]!1 -> P(); #assert P() |= <> c!1;", 1, 56,
          "c is an array of channels; name one in quotes, such as \"c[0]!5\"");
    fails("channel c 1; P() = c!1 -> P(); #assert P() |= <> c!y;", 1, 52,
          "event data must be numbers or constants here");
    fails("channel c 1; P() = c!1 -> P(); #assert P() |= <> c?;", 1, 52,
          "event data must be numbers or constants here");
}

static void process_counters_are_refused(void **state)
{
    static const char why[] = "#P() counts processes, which is not supported; "
                              "count them in a variable";
    (void)state;
    fails("P() = a -> P(); #define n #P();", 1, 27, why);
    fails("P() = [#P() == 0] a -> P();", 1, 8, why);
    fails("P() = a -> P(); #assert P() reaches #P() > 1;", 1, 37, why);
}

static void constants_without_a_value(void **state)
{
    (void)state;
    fails("var x = 1/0;", 1, 10, "division by zero");
    fails("var x = 2 + 5%0;", 1, 14, "division by zero");
    fails("#define N 0;\nvar x = 3/N;", 2, 10, "division by zero");
    fails("var y; var x = y + 1/0;", 1, 21, "division by zero");
    fails("var y; var x = y + call(max, 1, 2);", 1, 16,
          "an initial value must be constant");
    fails("var a = [1, 2/0];", 1, 14, "division by zero");
    fails("var x:{0..1/0} = 0;", 1, 12, "division by zero");
    fails("channel c 1/0;", 1, 12, "division by zero");
    fails("P() = |||{1/0}@Skip;", 1, 12, "division by zero");
    fails("P() = ||| i:{0..1/0}@Skip;", 1, 18, "division by zero");
    fails("var x = 2147483647 + 1;", 1, 20,
          "2147483648 does not fit in 32 bits");
    fails("var x = (0-2147483647-1) / (0-1);", 1, 26,
          "2147483648 does not fit in 32 bits");
    fails("var x = -(0-2147483647-1);", 1, 9,
          "2147483648 does not fit in 32 bits");
}

static void names_that_are_taken(void **state)
{
    (void)state;
    fails("#define N 1;\n#define N 2;", 2, 9, "N is already declared at 1:9");
    fails("var x;\nchannel x 1;", 2, 9, "x is already declared at 1:5");
    fails("enum{a, b, a};", 1, 12, "a is already declared at 1:6");
    fails("P() = Skip;\nP(i) = Stop;", 2, 1, "P is already defined at 1:1");
    fails("P(i, i) = Skip;", 1, 6, "duplicate parameter i");
    fails("P() = Skip; #alphabet P {a}; #alphabet P {b};", 1, 40,
          "P already has an alphabet, at 1:23");
    fails("#object o {var n; var n; operation f() {}}", 1, 23,
          "n is already declared at 1:16");
    fails("#object o {operation f() {} operation f() {}}", 1, 39,
          "f is already declared at 1:22");
    fails("Skip() = Stop;", 1, 1, "'Skip' is a reserved word");
    fails("var if;", 1, 5, "'if' is a reserved word");
    fails("P(true) = Stop;", 1, 3, "'true' is a reserved word");
    fails("channel c 1; P() = c?x.x -> Skip;", 1, 24, "x is received twice");
}

static void missing_semicolons(void **state)
{
    (void)state;
    fails("P() = a -> Skip\nQ() = Skip;", 1, 16,
          "missing ';' after the definition");
    fails("P() = a -> Skip\nQ(i, j) = Skip;", 1, 16,
          "missing ';' after the definition");
    fails("P() = a -> Skip", 1, 16, "missing ';' after the definition");
    fails("P() = a -> Skip\n#assert P() deadlockfree;", 1, 16,
          "missing ';' after the definition");
    fails("P() = a -> Skip\nvar x;", 1, 16, "missing ';' after the definition");
    fails("var x = 1\nP() = Skip;", 1, 10, "missing ';' after the variable");
    fails("var x = 1\nvar y = 2;", 1, 10, "missing ';' after the variable");
    fails("#define N 1\nvar x;\n", 2, 1,
          "expected ';' after the #define, not 'var'");
    fails("#define N 1\n#define M 1;", 1, 12, "missing ';' after #define");
    fails("P() = Skip; #assert P() deadlockfree", 1, 37,
          "missing ';' after #assert");
    fails("channel c 1\nP() = Skip;", 1, 12, "missing ';' after the channel");
    fails("var x; var y; P() = a{x = 1 y = 2} -> Skip;", 1, 28,
          "missing ';' after the statement");
    fails("#import \"l\"\nP() = Skip;", 1, 12, "missing ';' after #import");
    fails("enum{a}\nP() = Skip;", 1, 8, "missing ';' after enum");
}

static void brackets_that_do_not_match(void **state)
{
    (void)state;
    fails("P() = (a -> Skip;", 1, 7, "'(' is never closed");
    fails("P() = a{ -> Skip;\nQ() = (Skip);", 1, 8, "'{' is never closed");
    fails("P() = (a -> Skip};", 1, 17, "'}' does not close '(' at 1:7");
    fails("P() = [x\n -> (Skip];", 2, 10, "']' does not close '(' at 2:5");
    fails("P() = a -> Skip);", 1, 16, "')' closes nothing");
}

static void things_in_the_wrong_place(void **state)
{
    (void)state;
    fails("P() = a -> Skip b -> Skip;", 1, 17,
          "expected an operator or ';', not 'b'");
    fails("P() = ;", 1, 7, "expected a process, not ';'");
    fails("P() Skip;", 1, 5, "expected '=' and a process, not 'Skip'");
    fails("P() = Stop(1);", 1, 11, "expected an operator or ';', not '('");
    fails("P(x) = a.x -> P(x,);", 1, 19, "expected an expression, not ')'");
    fails("P() = if (true) Skip;", 1, 17,
          "expected '{' and a process, not 'Skip'");
    fails("P() = ifb (true) {Skip} else {Stop};", 1, 25,
          "ifb waits for its condition and cannot have an else");
    fails("P() = case {default: Skip true: Stop};", 1, 27,
          "expected '}' after the default, not 'true'");
    fails("P() = e.1 Skip;", 1, 11,
          "expected '->' after the event, not 'Skip'");
    fails(
        "P() = a -> Skip <<true>> Stop;", 1, 17,
        "P <<b>> Q is old syntax; give --legacy, or write if (b) {Q} else {P}");
    fails("P() = tau.1 -> Skip;", 1, 7, "tau has no data");
    fails("P() = a ~ Skip;", 1, 9, "unexpected character '~'");
    fails("P() = a \x01 Skip;", 1, 9, "unexpected byte 0x01");
    fails("var 3x;", 1, 5, "a name cannot begin with a digit: 3x");
    fails("P() = Skip; /* no\nend", 1, 13, "unterminated comment");
    fails("#import \"l;\n", 1, 9, "unterminated string");
    fails("#import lib;", 1, 9,
          "expected a \"library\" after #import, not 'lib'");
    fails("#foo;", 1, 1, "unknown directive #foo");
    fails("#include \"foo\";", 1, 10, "cannot include \"foo\"");
    fails("P() = Skip; #assert P() deadlockfre;", 1, 25,
          "unknown assertion \"deadlockfre\"; expected refines, reaches, "
          "linearizable, deadlockfree, nonterminating, divergencefree, "
          "deterministic, lockfree, waitfree, obstructionfree, = or |=");
    fails("P() = Skip; #assert P() refines<X> P();", 1, 33,
          "expected T, F or FD, not 'X'");
    fails("P() = Skip; #assert P() lockfree;", 1, 33,
          "expected '(' and clients, not ';'");
    fails("P() = Skip; #assert P() waitfree (clients 0);", 1, 43,
          "0 clients; from 1 to 64 are supported");
    fails("P() = Skip; #assert P() |=;", 1, 27, "expected a formula, not ';'");
    fails("P() = Skip; #assert P() reaches true with x;", 1, 43,
          "expected min or max, not 'x'");
    fails("var x; P() = a{x = 1 + x++;} -> Skip;", 1, 25,
          "'++' has a value only right after '='");
    fails("var x; P() = a{x + 1;} -> Skip;", 1, 18,
          "expected '=' after the variable, not '+'");
    fails("P(i) = a{i = 1;} -> Skip;", 1, 10,
          "i is bound here and cannot be assigned");
    fails("#define N 1; P() = a{N = 1;} -> Skip;", 1, 22,
          "N is not a variable");
    fails("P() = a{var t:{0..3};} -> Skip;", 1, 13,
          "a local variable cannot have a range");
    fails("P() = a{return 1;} -> Skip;", 1, 9,
          "only an operation of an #object can return");
    fails("channel c 1; var x = c;", 1, 22, "c is a channel, not a value");
    fails("var x; P() = x!1 -> Skip;", 1, 14, "x is not a channel");
}

static void defines(void **state)
{
    (void)state;
    fails("#define a b; #define b a; P() = [a] x -> Skip;", 1, 24,
          "the definition of a refers to itself");
    fails("#define blk {blk}; P() = a{blk} -> Skip;", 1, 14,
          "the definition of blk refers to itself");
    fails("#define blk {y = 0}; P() = a{blk} -> Skip;", 1, 14,
          "variable y is not defined");
    fails("#define blk {}; P() = [blk] a -> Skip;", 1, 24,
          "blk is a block of statements, not a value");
    fails("#define m(i) i*2; var x; P() = a{x = m(3)} -> Skip;", 1, 38,
          "call functions and macros as call(m, ...)");
    fails("#define m(i) i*2; var x; P() = a{x = m} -> Skip;", 1, 38,
          "m has parameters; use call(m, ...)");
    fails("#define N;", 1, 10, "expected the value of the name, not ';'");
    /* What it stands for cannot see where it is used. */
    fails("#define p i == 1; P(i) = [p] a -> Skip;", 1, 11,
          "variable i is not defined");
}

static void unknown_settings(void **state)
{
    const struct plumb_csp_setting set[] = { { "SIZ", 5 }, { "x", 1 } };
    struct plumb_csp_reading r =
        reading_of("#define SIZE 2; var x; P() = Skip;");
    (void)state;
    r.setting = set;
    r.settings = 1;
    fails_with(&r, 0, 0,
               "setting SIZ: there is no such #define; did you mean SIZE?");
    r.setting = set + 1;
    fails_with(&r, 0, 0, "setting x: there is no such #define");
}

static void classes_are_refused(void **state)
{
    static const char message[] =
        "objects of C# classes are not supported; use variables, or functions "
        "in C through #import and call(...)";
    (void)state;
    fails("var<DBM> d = new DBM(3);", 1, 5,
          "class DBM is not supported; List, Set, Stack, Queue and HashTable "
          "are, and structs and functions in C through #import");
    fails("var x; P() = a{x = l.Count();} -> Skip;", 1, 20, message);
    fails("P() = a{l.Add(1);} -> Skip;", 1, 9, message);
    fails("var x; P() = a{x = l$f;} -> Skip;", 1, 20, message);
}

/* Where a collection may be, and what is called on it. */
static void collections_are_no_numbers(void **state)
{
#define L "var<List> l; var<Set> s; var x; "
    (void)state;
    fails("var l = new List();", 1, 9, "this is a List, not a number");
    fails("var<List> l = new Set();", 1, 15, "this is a Set, not a List");
    fails("var<List> l = new List(1);", 1, 24,
          "expected ')' : a new collection is empty, not '1'");
    fails("var<List> l = 3;", 1, 15, "expected 'new', not '3'");
    fails("var<List> l:{0..3};", 1, 12, "a collection cannot have a range");
    fails(L "var y = l.Count();", 1, 41,
          "a collection cannot be used in an initial value");
    fails(L "P() = e.l -> Skip;", 1, 41, "this is a List, not a number");
    fails(L "P() = [l + 1 == 2] Skip;", 1, 40, "this is a List, not a number");
    fails(L "P() = e{x = l} -> Skip;", 1, 45, "this is a List, not a number");
    fails(L "P() = e{l = x} -> Skip;", 1, 45, "this is a number, not a List");
    fails(L "P() = e{l = s} -> Skip;", 1, 45, "this is a Set, not a List");
    fails(L "P() = [l == s] Skip;", 1, 45, "this is a Set, not a List");
    fails(L "P() = e{l++} -> Skip;", 1, 41, "this is a List, not a number");
    fails(L "P() = e{var t = l} -> Skip;", 1, 49,
          "this is a List, not a number");
    fails(L "P(i) = Skip; Q() = P(l);", 1, 54, "this is a List, not a number");
    fails("var<List> k[2]; P(i) = Skip; Q() = P(k);", 1, 38,
          "k cannot be used as a whole: it has collections");
    fails("var<List> k[2]; var<List> m[2]; P() = e{k = m} -> Skip;", 1, 45,
          "m cannot be used as a whole: it has collections");
    fails("#import \"f.c\"; var<List> k[2]; P() = e{call(f, k)} -> Skip;", 1,
          48, "k cannot be used as a whole: it has collections");
    fails(L "P() = e{l.Add(s)} -> Skip;", 1, 47, "this is a Set, not a number");
    fails(L "P() = e{l.Add(1, 2)} -> Skip;", 1, 43,
          "Add takes 1 argument, not 2");
    fails(L "P() = e{l.add(1)} -> Skip;", 1, 43,
          "List method add is not defined; did you mean Add?");
    fails(L "P() = e{s.Push(1)} -> Skip;", 1, 43,
          "Set method Push is not defined");
    fails(L "P() = e{l.Count()} -> Skip;", 1, 43, "Count changes nothing");
    fails(L "P() = e{x = l.Add(1)} -> Skip;", 1, 47, "Add has no value");
    fails(L "P() = [s.Remove(1)] Skip;", 1, 42,
          "Remove changes the collection, so it must be a statement, or all "
          "of what is assigned or given to a method");
    fails(L "P() = e{x = s.Remove(1) + 1} -> Skip;", 1, 47,
          "Remove changes the collection, so it must be a statement, or all "
          "of what is assigned or given to a method");
#undef L
}

static void unguarded_recursion(void **state)
{
    (void)state;
    fails("P() = P();", 1, 7, "P calls itself here before any event");
    fails("P(i) = a -> Skip [] P(i+1);", 1, 21,
          "P calls itself here before any event");
    fails("P() = a -> Skip ||| Q(); Q() = R() \\{a}; R() = Skip; P();", 1, 54,
          "P calls itself here before any event");
    fails("var x; P() = [x == 1] P();", 1, 23,
          "P calls itself here before any event");
    fails("var x; P() = ifa (x == 1) {Skip} else {P()};", 1, 40,
          "P calls itself here before any event");
    fails("P() = |||{..}@P();", 1, 15, "P calls itself here before any event");
    fails("P() = Q(); P(); Q() = S(); Skip; S() = Skip;", 1, 12,
          "P calls itself here before any event");
}

static void harmless_recursion(void **state)
{
    (void)state;
    reads_as("P() = a -> P();", NULL);
    reads_as("P() = Q(); P(); Q() = a -> Skip;", NULL);
    reads_as("var x; P() = if (x == 1) {P()};", NULL);
    reads_as("P() = P() <> Skip;", NULL);
    reads_as("P(n) = ifa (n == 0) {Skip} else {a -> Skip ||| P(n-1)};", NULL);
    reads_as("P(n) = [n < 3] P(n+1);", NULL);
    reads_as("P() = ifa (false) {P()};", NULL);
    reads_as("channel c 1; P() = c?x -> P() [] c!1 -> P();", NULL);
}

/* ---- warnings ---- */

static void warns(const char *source, const char *wanted)
{
    const struct plumb_csp_reading r = reading_of(source);
    struct plumb_csp_model *const m = model_of(&r);
    if (m->warnings != (wanted ? 1 : 0))
        fail_msg("%u warnings, the first %s", m->warnings,
                 m->warnings ? m->warning[0] : "");
    if (wanted)
        assert_string_equal(m->warning[0], wanted);
    plumb_csp_model_free(m);
}

static void mixed_types_are_warned_of(void **state)
{
    (void)state;
    warns("var b = true; P() = [b == 1] a -> Skip;",
          "m.csp:1:24: warning: a number is combined with a truth value (true "
          "is 1, false is 0)");
    warns(
        "var x = 1; P() = [x] a -> Skip;",
        "m.csp:1:19: warning: a number is used as a truth value (0 is false)");
    warns("var x = 1; P() = a{x = 1 < 2} -> Skip;",
          "m.csp:1:26: warning: a truth value is used as a number (true is 1)");
    warns(
        "var b = true; P() = a{b = 2} -> Skip;",
        "m.csp:1:27: warning: a number is used as a truth value (0 is false)");
    warns("var b = true; P() = [b + 1 > 0] a -> Skip;",
          "m.csp:1:22: warning: a truth value is used as a number (true is 1)");
    warns(
        "var x = 1; P() = [x == 1 && x] a -> Skip;",
        "m.csp:1:29: warning: a number is used as a truth value (0 is false)");
    warns("var b = true; P(i) = [b == i && b != false] a.b -> Skip;", NULL);
    warns("var x; P() = [call(mailorder, 1, 2)] a{x = true} -> Skip;", NULL);
}

static void formulas_that_others_read_differently_are_warned_of(void **state)
{
    (void)state;
#define ASSERT "P() = a -> P();\n#assert P() |= "
    warns(ASSERT "a -> b && c;",
          "m.csp:2:23: warning: PAT reads this from the left, but here && "
          "binds tighter; add parentheses");
    warns(ASSERT "[] (a || b && c);",
          "m.csp:2:27: warning: PAT reads this from the left, but here && "
          "binds tighter; add parentheses");
    warns(ASSERT "a -> b -> c;",
          "m.csp:2:23: warning: PAT reads this from the left, but here -> "
          "groups to the right; add parentheses");
    warns(ASSERT "a U b U c;",
          "m.csp:2:22: warning: PAT reads this from the left, but here U "
          "groups to the right; add parentheses");
    warns(ASSERT "a && b -> <> c;", NULL);
    warns(ASSERT "a -> (b && c);", NULL);
    warns(ASSERT "a U b && c U d -> a;", NULL);
    warns(ASSERT "(a -> b) && (c -> a) <-> b;", NULL);
#undef ASSERT
}

static void events_that_will_not_synchronise_are_warned_of(void **state)
{
    (void)state;
    warns("var x; P() = a{x=1} -> P(); Q() = a -> Q(); R() = P() || Q();",
          "m.csp:1:14: warning: a carries a program, so it does not "
          "synchronise with the one at 1:35");
    warns("var x; P() = a.1{x=1} -> Skip || a.2 -> Skip;", NULL);
    warns("var x; P() = a{x=1} -> Skip ||| a -> Skip;", NULL);
    warns("var x; P() = b{x=1} -> Skip || a -> Skip;", NULL);
    warns("var x; P() = ((a{x=1} -> Skip) \\{a}) || a -> Skip;", NULL);
    warns("var x; P(i) = a.i{x=1} -> Skip; R() = || i:{0..1}@P(i);", NULL);
    warns("var x; P() = a.1{x=1} -> Skip; R() = || i:{0..1}@P();",
          "m.csp:1:14: warning: a carries a program, so it does not "
          "synchronise with the one at 1:14");
    warns("var x; P() = a{x=1} -> Skip; Q() = b -> Skip; #alphabet Q {a, b};"
          "R() = P() || Q();",
          "m.csp:1:14: warning: a carries a program, so it does not "
          "synchronise with the one at 1:60");
}

static void events_that_never_occur_are_warned_of(void **state)
{
    (void)state;
    warns("P() = a.1 -> P(); Q() = P() \\ {a.1, i:{0..3} @ a.i, a.7};", NULL);
    warns("P() = a.1 -> P(); Q() = P() \\ {a};",
          "m.csp:1:32: warning: event a never occurs; a.x does");
    warns("P() = push.1 -> P(); Q() = P() \\ {pusch.1};",
          "m.csp:1:35: warning: event pusch never occurs; did you mean push?");
    warns("channel c 1; P() = c!1 -> c?x -> P(); Q() = P() \\ {c, c!1, c?2};",
          NULL);
    warns("channel c 1; P() = c!1 -> c?x -> P(); Q() = P() \\ {c.1};",
          "m.csp:1:52: warning: this event never occurs: channel c has room "
          "for messages, so its events are like c!1 and c?1");
    warns("channel c 0; P() = c!1 -> P(); R() = c?x -> R();"
          "Q() = (P() ||| R()) \\ {c!1, c.1, c};",
          NULL);
    warns("channel c 1; P() = c!1.2 -> P(); Q() = P() \\ {c!1};",
          "m.csp:1:47: warning: event c!x never occurs; c!x.y does");
    warns("channel c 1; P() = c!1.2 -> P(); Q() = P() \\ {c?1.2};",
          "m.csp:1:47: warning: event c never occurs");
    warns("channel c 1; P() = a -> P(); Q() = P() \\ {c};",
          "m.csp:1:43: warning: event c never occurs");
    warns("P() = a -> P(); Q() = P(); #alphabet Q {a, b};",
          "m.csp:1:44: warning: event b never occurs");
    warns("P() = a.1 -> P(); #define p 1 == 1; #assert P() |= [] (p -> <> a);",
          "m.csp:1:64: warning: event a never occurs; a.x does");
    warns("channel c 0; P() = c!1 -> P(); #assert P() |= [] (c!1 -> <> c.2);",
          NULL);
}

static void channels_in_sets(void **state)
{
    (void)state;
    fails("channel c 1; P() = c!1 -> P(); Q() = P() \\ {c?x};", 1, 47,
          "x has no value here; write c alone for all its messages");
    fails("channel d[2] 1; P() = d[0]!1 -> P(); Q() = P() \\ {d!1};", 1, 51,
          "d is an array of channels; give an index");
    fails("channel d[2] 1; P() = d[0]!1 -> P(); Q() = P() \\ {d[2]};", 1, 53,
          "index 2 is outside of d[2]");
    fails("channel c 1; P() = c!1 -> P(); Q() = P() \\ {c[0]};", 1, 45,
          "c is not an array of channels");
    fails("channel c 1; P() = c!1 -> P(); #alphabet P {c!1};", 1, 45,
          "messages do not synchronise, so an alphabet has none");
}

static void models_of_other_tools(void **state)
{
#define SAYS(language)                                                         \
    "this is " language "; plumb reads CSP# (docs/modelling-language.md)"
    static const char promela[] = SAYS("Promela, the language of SPIN");
    static const char cspm[] = SAYS("CSPM, the language of FDR");
    (void)state;
    fails("int x;\nactive proctype P() { x = 1 }", 2, 8, promela);
    fails("mtype = { a, b };", 1, 1, promela);
    fails("chan c = [2] of { byte };", 1, 1, promela);
    fails("init { skip }", 1, 1, promela);
    fails("x; // do\n do\n :: x = 1 od", 3, 2, promela);
    fails("{- a\n comment -} channel a, b\nP = a -> STOP", 2, 13, cspm);
    fails("channel c : {0..3}", 1, 1, cspm);
    fails("-- channel c : x\nP = a -> P\nassert P [T= P", 3, 10, cspm);
    fails("assert P :[deadlock free]", 1, 10, cspm);
    fails("P = a -> P |~| b -> P", 1, 12, cspm);
    fails("P = Q [|{|a|}|] R", 1, 7, cspm);
    fails("datatype T = A | B", 1, 1, cspm);
    /* What is refused for other reasons. */
    fails("var a[2]; P() = [a[0] == (1] b -> P(); // [T= ::", 1, 28,
          "']' does not close '(' at 1:26");
    fails("var T; P() = [T==1] b -> P(); Q", 1, 32,
          "missing ';' after the definition");
#undef SAYS
}

/* ---- nesting ---- */

static void refuses_deep(const char *before, const char *open,
                         const char *middle, const char *close,
                         const char *after)
{
    enum { DEPTH = TEST_EFFORT > 1 ? 4000 : 100000 };
    const size_t size = strlen(before) + strlen(middle) + strlen(after) +
                        DEPTH * (strlen(open) + strlen(close)) + 1;
    char *const text = malloc(size);
    struct plumb_csp_model *model = NULL;
    struct plumb_error err;
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", before);
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "%s", open);
    at += sprintf(at, "%s", middle);
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "%s", close);
    sprintf(at, "%s", after);
    const struct plumb_csp_reading r = reading_of(text);
    assert_int_equal(plumb_csp_model_read(&r, &model, &err), PLUMB_EINPUT);
    assert_string_equal(err.message, "nested too deeply");
    free(text);
}

static void deep_nesting_is_an_error(void **state)
{
    (void)state;
    refuses_deep("P() = ", "(", "Skip", ")", ";");
    refuses_deep("P() = ", "a -> ", "Skip", "", ";");
    refuses_deep("P() = ", "Skip; ", "Skip", "", ";");
    refuses_deep("P() = Skip", "", "", "\\{a}", ";");
    refuses_deep("P() = Skip", "", "", " interrupt Skip", ";");
    refuses_deep("P() = ", "[] i:{0..1}@", "Skip", "", ";");
    refuses_deep("P() = ", "[true] ", "Skip", "", ";");
    refuses_deep("P() = ", "if (true) {Skip} else ", "{Skip}", "", ";");
    refuses_deep("P() = ", "atomic{", "Skip", "}", ";");
    refuses_deep("var x; P() = [", "(", "x", ")", "== 1] Skip;");
    refuses_deep("var x; P() = [", "!", "x", "", "] Skip;");
    refuses_deep("var x; P() = [x", "", "", "+x", " > 1] Skip;");
    refuses_deep("var x; P() = [", "if (x == 1) {", "x", "} else {0}",
                 "] Skip;");
    refuses_deep("var x; P() = [", "if (x == 1) {0} else ", "{x}", "",
                 "] Skip;");
    refuses_deep("var x; P() = e{", "{", "", "}", "} -> Skip;");
    refuses_deep("var x; P() = e{", "if (x==1) ", "x=2", "", "} -> Skip;");
    refuses_deep("var x; P() = e{", "x = ", "1", "", "} -> Skip;");
}

static void defines_that_double_are_bounded(void **state)
{
    static const char *const kind[][3] = {
        { "var x; #define a0 x;\n", "#define a%d a%d+a%d;\n", "[a%d > 0] e" },
        { "var x; #define a0 {};\n", "#define a%d {a%d;a%d};\n", "e{a%d}" },
        { "var x; #define a0(i) i;\n",
          "#define a%d(i) call(a%d,i)+call(a%d,i);\n", "[call(a%d,x) > 0] e" },
    };
    char text[6000];
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        struct plumb_csp_model *model = NULL;
        struct plumb_error err;
        int at = snprintf(text, sizeof text, "%s", kind[k][0]);
        for (int i = 1; i <= 60; i++)
            at += snprintf(text + at, sizeof text - (size_t)at, kind[k][1], i,
                           i - 1, i - 1);
        at += snprintf(text + at, sizeof text - (size_t)at, "P() = ");
        at += snprintf(text + at, sizeof text - (size_t)at, kind[k][2], 60);
        snprintf(text + at, sizeof text - (size_t)at, " -> Skip;");
        const struct plumb_csp_reading r = reading_of(text);
        assert_int_equal(plumb_csp_model_read(&r, &model, &err), PLUMB_EINPUT);
        assert_string_equal(err.message,
                            "too large after #defines are expanded");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefined_names),
        cmocka_unit_test(numbers_of_things),
        cmocka_unit_test(values_that_cannot_be),
        cmocka_unit_test(constants_without_a_value),
        cmocka_unit_test(events_that_are_not_one_of_several),
        cmocka_unit_test(arrays_that_a_program_cannot_have),
        cmocka_unit_test(assignments_with_a_name),
        cmocka_unit_test(beginnings_that_cannot_be),
        cmocka_unit_test(data_of_events_in_formulas),
        cmocka_unit_test(process_counters_are_refused),
        cmocka_unit_test(names_that_are_taken),
        cmocka_unit_test(missing_semicolons),
        cmocka_unit_test(brackets_that_do_not_match),
        cmocka_unit_test(things_in_the_wrong_place),
        cmocka_unit_test(defines),
        cmocka_unit_test(unknown_settings),
        cmocka_unit_test(classes_are_refused),
        cmocka_unit_test(collections_are_no_numbers),
        cmocka_unit_test(unguarded_recursion),
        cmocka_unit_test(harmless_recursion),
        cmocka_unit_test(mixed_types_are_warned_of),
        cmocka_unit_test(formulas_that_others_read_differently_are_warned_of),
        cmocka_unit_test(events_that_will_not_synchronise_are_warned_of),
        cmocka_unit_test(events_that_never_occur_are_warned_of),
        cmocka_unit_test(channels_in_sets),
        cmocka_unit_test(models_of_other_tools),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(defines_that_double_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
