/* test_model_read.c - every construct of the language is read as what it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model_texts.h"

#include <stdio.h>

/* ---- processes in a setting ---- */

#define SETTING                                                                \
    "#define N 3; #define low x < 3; #define twice(i) i*2; var x = 0;"         \
    "var y = 0; var a[3]; var m[2][3]; var flag = true; channel c 2;"          \
    "channel d[2] 0; P() = e -> Skip; Q(i) = e.i -> Skip; R = e -> R;"

static void process_is(const char *source, const char *wanted, bool legacy)
{
    char text[2000];
    snprintf(text, sizeof text, SETTING "S(i, j) = %s;", source);
    struct plumb_csp_reading r = reading_of(text);
    r.legacy = legacy;
    struct plumb_csp_model *const model = model_of(&r);
    const struct plumb_csp_definition *const d =
        model->definition + model->definitions - 1;
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    plumb_csp_process_text(model, d, d->body, &out);
    assert_string_equal(plumb_base_text_string(&out), wanted);
    plumb_base_text_release(&out);
    check_text(model, NULL);
    plumb_csp_model_free(model);
}

static void is(const char *source, const char *wanted)
{
    process_is(source, wanted, false);
}

static void expression_is(const char *source, const char *wanted)
{
    char process[600], expected[600];
    snprintf(process, sizeof process, "[%s] P()", source);
    snprintf(expected, sizeof expected, "[%s] P()", wanted);
    is(process, expected);
}

static void program_is(const char *source, const char *wanted)
{
    char process[600], expected[600];
    snprintf(process, sizeof process, "e{%s} -> P()", source);
    snprintf(expected, sizeof expected, "e{ %s} -> P()", wanted);
    is(process, expected);
}

static void atoms(void **state)
{
    (void)state;
    is("Stop", "Stop");
    is("Skip", "Skip");
    is("Skip()", "Skip");
    is("P()", "P()");
    is("P", "P()");
    is("R()", "R()");
    is("Q(i+1)", "Q(i + 1)");
    is("(P())", "P()");
    is("atomic{P()}", "atomic { P() }");
    is("assert(x == 1)", "assert(x == 1)");
    is("if (low) {P()} else {Stop}", "if (x < 3) { P() } else { Stop }");
    is("if (low) {P()}", "if (x < 3) { P() } else { Skip }");
    is("if (low) {P()} else if (flag) {Stop}",
       "if (x < 3) { P() } else { if (flag) { Stop } else { Skip } }");
    is("ifa (low) {P()}", "ifa (x < 3) { P() } else { Skip }");
    is("ifa (low) {P()} else {Q(1)}", "ifa (x < 3) { P() } else { Q(1) }");
    is("ifb (low) {P()}", "ifb (x < 3) { P() }");
    is("case {low: P() x == 4: e -> Skip default: Stop}",
       "case { x < 3: P() x == 4: (e -> Skip) default: Stop }");
    is("case {low: P()}", "case { x < 3: P() }");
}

static void prefixes(void **state)
{
    (void)state;
    is("e -> P()", "e -> P()");
    is("e->f->P()", "e -> f -> P()");
    is("e.x.i -> P()", "e.x.i -> P()");
    is("get.(i+1)%N.i -> P()", "get.((i + 1) % 3).i -> P()");
    is("get.((i+1)%N).i -> P()", "get.((i + 1) % 3).i -> P()");
    is("e.x+1.-2 -> P()", "e.(x + 1).(-2) -> P()");
    is("e.true -> P()", "e.true -> P()");
    is("e{x=1} -> P()", "e{ x = 1; } -> P()");
    is("e{} -> P()", "e{ } -> P()");
    is("tau -> P()", "tau -> P()");
    is("tau{x=1} -> P()", "tau{ x = 1; } -> P()");
    is("{x=1} -> P()", "tau{ x = 1; } -> P()");
    is("c!x.1 -> P()", "c!x.1 -> P()");
    is("c!x+1{x=2} -> P()", "c!(x + 1){ x = 2; } -> P()");
    is("d[1]!x -> P()", "d[1]!x -> P()");
    is("d[i]?u -> Q(u)", "d[i]?u -> Q(u)");
    is("c?u.v -> e.u.v -> P()", "c?u.v -> e.u.v -> P()");
    is("c?u{x=u} -> P()", "c?u{ x = u; } -> P()");
    is("c?[u<9]u.3 -> Q(u)", "c?[u < 9]u.3 -> Q(u)");
}

/* What is known is compared, and only what is not is bound. */
static void inputs_bind_new_names_only(void **state)
{
    const struct plumb_csp_reading r =
        reading_of("#define go 7; var g; channel c 1;"
                   "P(i) = c?go.g.i.u.(3) -> c?u -> e.u -> Skip;");
    struct plumb_csp_model *const model = model_of(&r);
    const struct plumb_csp_process *const p = model->definition[0].body;
    (void)state;
    assert_int_equal(p->kind, PLUMB_RECEIVE);
    assert_int_equal(p->count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(p->binds[i], i == 3 ? 1 : UINT32_MAX);
    assert_int_equal(p->data[0]->value, 7);
    assert_int_equal(p->data[1]->kind, PLUMB_EXPR_GLOBAL);
    assert_int_equal(p->data[2]->kind, PLUMB_EXPR_LOCAL);
    assert_null(p->data[3]);
    assert_int_equal(p->data[4]->value, 3);
    assert_int_equal(p->child[0]->binds[0], UINT32_MAX);
    assert_int_equal(p->child[0]->data[0]->number, 1);
    plumb_csp_model_free(model);
}

static void names_are_bound_where_they_reach(void **state)
{
    (void)state;
    /* The second u is another one: the first reaches to the []. */
    is("c?u -> Q(u) [] c?u -> Q(u)",
       "(c?local_2 -> Q(local_2)) [] (c?local_3 -> Q(local_3))");
    is("([] k:{0..1}@Q(k)); ([] k:{2..3}@Q(k+i))",
       "([] local_2:{0,1}@Q(local_2)) ; ([] local_3:{2,3}@Q(local_3 + i))");
    is("[] x:{0..1}@Q(x)", "[] local_2:{0,1}@Q(local_2)");
}

static void precedence_of_processes(void **state)
{
    (void)state;
    is("P() ||| P() || P()", "P() ||| (P() || P())");
    is("P() || P() ||| P()", "(P() || P()) ||| P()");
    is("P() || P() [] P()", "P() || (P() [] P())");
    is("P() [] P() || P()", "(P() [] P()) || P()");
    is("P() [] P() <> P()", "P() [] (P() <> P())");
    is("P() <> P() [] P()", "(P() <> P()) [] P()");
    is("P() <> P() [*] P()", "P() <> (P() [*] P())");
    is("P() [*] P() <> P()", "(P() [*] P()) <> P()");
    is("P() [*] P() interrupt P()", "P() [*] (P() interrupt P())");
    is("P() interrupt P() [*] P()", "(P() interrupt P()) [*] P()");
    is("P() interrupt P() \\{e}", "P() interrupt (P() \\ {e})");
    is("P() \\{e} interrupt P()", "(P() \\ {e}) interrupt P()");
    is("P(); Q(1) \\{e}", "(P() ; Q(1)) \\ {e}");
    is("[low] P(); Q(1)", "([x < 3] P()) ; Q(1)");
    is("[low] e -> P()", "[x < 3] (e -> P())");
    is("e -> P(); Q(1)", "(e -> P()) ; Q(1)");
    is("e -> P() [] f -> P()", "(e -> P()) [] (f -> P())");
    is("e -> [low] P()", "e -> ([x < 3] P())");
    is("e -> (P(); Q(1))", "e -> (P() ; Q(1))");
    is("P(); Q(1); Q(2)", "P() ; (Q(1) ; Q(2))");
    is("(P(); Q(1)); Q(2)", "(P() ; Q(1)) ; Q(2)");
    is("P() interrupt Q(1) interrupt Q(2)",
       "(P() interrupt Q(1)) interrupt Q(2)");
    is("P() \\{e} \\{f}", "(P() \\ {e}) \\ {f}");
    is("P() ||| Q(1) ||| Q(2)", "P() ||| Q(1) ||| Q(2)");
    is("P() ||| (Q(1) ||| Q(2))", "P() ||| (Q(1) ||| Q(2))");
}

static void chains_are_one_process(void **state)
{
    const struct plumb_csp_reading r =
        reading_of("P() = a->Skip [] b->Skip [] c->Skip;");
    struct plumb_csp_model *const model = model_of(&r);
    (void)state;
    assert_int_equal(model->definition[0].body->kind, PLUMB_CHOICE);
    assert_int_equal(model->definition[0].body->children, 3);
    plumb_csp_model_free(model);
}

static void indices_swallow_what_is_right_of_them(void **state)
{
    (void)state;
    is("||| k:{0..N-1}@Q(k)", "||| k:{0,1,2}@Q(k)");
    is("|| k:{0..1}@Q(k) ||| P()", "|| k:{0,1}@(Q(k) ||| P())");
    is("P() ||| [] k:{1,3}@e.k -> P(); Q(k)",
       "P() ||| ([] k:{1,3}@((e.k -> P()) ; Q(k)))");
    is("<> k:{0..1}; l:{5,7..8}@Q(k+l)", "<> k:{0,1}; l:{5,7,8}@Q(k + l)");
    is("[*] k:{-1..0}@Q(k)", "[*] k:{-1,0}@Q(k)");
    is("[] k:{i+1..N}; l:{k,0..j*2,7}@Q(k+l)",
       "[] k:{(i + 1)..3}; l:{k,0..(j * 2),7}@Q(k + l)");
    is("|||{N}@P()", "|||{3}@P()");
    is("|||{i+j}@P()", "|||{i + j}@P()");
    is("|||{..}@P() ||| Q(1)", "|||{..}@(P() ||| Q(1))");
    is("e -> ||| k:{0..1}@Q(k)", "e -> (||| k:{0,1}@Q(k))");
}

static void events_are_hidden(void **state)
{
    (void)state;
    is("P() \\{}", "P() \\ {}");
    is("P() \\{e, e.0, k:{0..1};l:{2}@f.k.(l+1)}",
       "P() \\ {e, e.0, k:{0,1}; l:{2}@f.k.(l + 1)}");
    is("P() \\{c, c!1, c?x+1.j, e}", "P() \\ {c, c!1, c?(x + 1).j, e}");
    is("P() \\{d, d[1], k:{0..1}@d[k], d[i].5, d[0]!x.1, d[0]?N}",
       "P() \\ {d, d[1], k:{0,1}@d[k], d[i].5, d[0].x.1, d[0].3}");
    reads_as("channel m 0; P() = m!1 -> P(); Q() = P() \\ {m!1, m?2, m.3, m};",
             "channel m 0;\nP() = m!1 -> P();\n"
             "Q() = P() \\ {m.1, m.2, m.3, m};\n");
}

static void legacy_conditions_go_right(void **state)
{
    (void)state;
    process_is("P() <<low>> Q(1)", "if (x < 3) { Q(1) } else { P() }", true);
    process_is("P(); Q(0) <<low>> Q(1) [] P()",
               "(if (x < 3) { Q(1) } else { P() ; Q(0) }) [] P()", true);
    /* One step decides all that is nested, but not what is an if. */
    process_is("(P() <<low>> Q(1)) <<x == 7>> Q(2)",
               "case { x == 7: Q(2) x < 3: Q(1) default: P() }", true);
    process_is("Q(2) <<x == 7>> (P() <<low>> Q(1))",
               "case { (x == 7) && (x < 3): Q(1) x == 7: P() default: Q(2) }",
               true);
    process_is("Q(2) <<x == 7>> P() <<low>> Q(1)",
               "case { x < 3: Q(1) x == 7: P() default: Q(2) }", true);
    process_is("Q(2) <<x == 7>> if (low) { P() } else { Q(1) }",
               "if (x == 7) { if (x < 3) { P() } else { Q(1) } } else { Q(2) }",
               true);
}

/* ---- expressions ---- */

static void precedence_of_expressions(void **state)
{
    (void)state;
    expression_is("x==1 || x==2 && y==3", "(x == 1) || ((x == 2) && (y == 3))");
    expression_is("x==1 && y==1 || x==2", "((x == 1) && (y == 1)) || (x == 2)");
    expression_is("low xor flag && flag", "((x < 3) xor flag) && flag");
    expression_is("(x&1) == 1", "(x & 1) == 1");
    expression_is("(x | y ^ 2 & 1) == 0", "(((x | y) ^ 2) & 1) == 0");
    expression_is("x < y == y < x", "(x < y) == (y < x)");
    expression_is("x <= y+1", "x <= (y + 1)");
    expression_is("x-y-1 >= 0", "((x - y) - 1) >= 0");
    expression_is("x+y*2 != 7", "(x + (y * 2)) != 7");
    expression_is("x/y%2 > 0", "((x / y) % 2) > 0");
    expression_is("-x*y < 0", "((-(x)) * y) < 0");
    expression_is("!flag && flag", "(!(flag)) && flag");
    expression_is("x - -1 > 0", "(x - (-1)) > 0");
}

static void constants_are_folded(void **state)
{
    (void)state;
    expression_is("x == 1+2*3", "x == 7");
    expression_is("x == -7/2", "x == (-3)");
    expression_is("x == (0-1)%N", "x == 2");
    expression_is("x == 7%-3", "x == 1");
    expression_is("x == N*2-1", "x == 5");
    expression_is("true && x == 1", "true && (x == 1)");
    expression_is("false && 1/0 == 1", "false");
    expression_is("true || x == 1", "true");
    expression_is("!(1 > 2)", "true");
    expression_is("x == -2147483648", "x == (-2147483648)");
    expression_is("x == 6 & 3 | 8 ^ 1", "(((x == 6) & 3) | 8) ^ 1");
    expression_is("true xor false", "true");
    /* not where that would be an error */
    expression_is("x == 1/0", "x == (1 / 0)");
    expression_is("x == 1%0", "x == (1 % 0)");
    expression_is("x == 2147483647+1", "x == (2147483647 + 1)");
    expression_is("x == 0 - -2147483648", "x == (0 - (-2147483648))");
}

static void indexed_truth_values(void **state)
{
    (void)state;
    expression_is("&& k:{0..2}@(a[k]==0)",
                  "(a[0] == 0) && ((a[1] == 0) && (a[2] == 0))");
    expression_is("|| k:{0,2}@a[k]==k || flag",
                  "((a[0] == 0) || flag) || ((a[2] == 2) || flag)");
    expression_is("flag && (|| k:{0..1};l:{0..1}@m[k][l]==i)",
                  "flag && (((m[0][0] == i) || (m[0][1] == i)) || "
                  "((m[1][0] == i) || (m[1][1] == i)))");
    expression_is("xor k:{0..1}@(a[k]==0)", "(a[0] == 0) xor (a[1] == 0)");
}

static void calls(void **state)
{
    (void)state;
    expression_is("x == call(twice, y+1)", "x == ((y + 1) * 2)");
    expression_is("x == call(twice, 4)", "x == 8");
    expression_is("x == call(max, x, y)", "x == call(max, x, y)");
    expression_is("x == call(amax, a)", "x == call(amax, a)");
    expression_is("call(mailorder, x, y)", "call(mailorder, x, y)");
    expression_is("x == call(dominate, x, y)", "x == call(dominate, x, y)");
    expression_is("x == call(abs, call(min, x, y))",
                  "x == call(abs, call(min, x, y))");
    expression_is("call(cfull, c) || call(cempty, d[i])",
                  "call(cfull, c) || call(cempty, d[i])");
    expression_is("call(ccount, c) < call(csize, c)",
                  "call(ccount, c) < call(csize, c)");
    expression_is("call(cpeek, c) == 1", "call(cpeek, c) == 1");
}

/* ---- programs ---- */

static void statements(void **state)
{
    (void)state;
    program_is("x = 1", "x = 1; ");
    program_is("x = 1;", "x = 1; ");
    program_is(";;x = 1;;", "x = 1; ");
    program_is("x++; y--; a[i]++; ++x", "x = x + 1; y = y - 1; "
                                        "a[i] = a[i] + 1; x = x + 1; ");
    program_is("m[1][i] = x", "m[1][i] = x; ");
    program_is("x = y = i", "y = i; x = y; ");
    program_is("if (low) {x = 1} else {x = 2}",
               "if (x < 3) { x = 1; } else { x = 2; }; ");
    program_is("if (low) x = 1; else if (flag) x = 2; y = 1;",
               "if (x < 3) { x = 1; } else { if (flag) { x = 2; }; }; "
               "y = 1; ");
    program_is("while (low) {x++;}", "while (x < 3) { x = x + 1; }; ");
    program_is("while (low) x++; y = 1",
               "while (x < 3) { x = x + 1; }; y = 1; ");
    program_is("var t = x; var u; u = t; x = u",
               "var temp_0 = x; var temp_1 = 0; temp_1 = temp_0; "
               "x = temp_1; ");
    program_is("{var t = 1; x = t} {var t = 2; x = t}",
               "var temp_0 = 1; x = temp_0; var temp_1 = 2; x = temp_1; ");
    program_is("var x = 4; y = x", "var temp_0 = 4; y = temp_0; ");
    program_is("call(max, x, y);", "call(max, x, y); ");
}

static void blocks_with_a_name(void **state)
{
    static const char source[] =
        "var x; var y; #define both {x=0;y=0}; #define set(v) {x=v;};"
        "P(i) = a{both} -> b{both; x = i} -> c{call(both)} -> d{both();}"
        " -> e{call(set, i+1); y = 1} -> Skip;";
    (void)state;
    reads_as(source, "var x = 0;\nvar y = 0;\n"
                     "P(i) = a{ x = 0; y = 0; } -> b{ x = 0; y = 0; x = i; } "
                     "-> c{ x = 0; y = 0; } -> d{ x = 0; y = 0; } -> "
                     "e{ x = i + 1; y = 1; } -> Skip;\n");
}

/* In a #define it may be either; a block is put in as it is. */
static void an_if_is_a_value_or_statements(void **state)
{
    (void)state;
    program_is("y = if (low) { 1 } else { x }", "y = [1, x][!(x < 3)]; ");
    program_is("y = if (low) {x} else if (flag) {2} else {3} + 1",
               "y = [x, [2, 3][!(flag)]][!(x < 3)] + 1; ");
    expression_is("if (true) {x == 1} else {1 / 0 > 1}", "x == 1");
    reads_as("var x; #define up if (x < 3) { x++; } else { x = 0 };"
             "#define down if (x > 0) { if (x > 5) x = 0; else x-- };"
             "#define half(i) if (i % 2 == 0) { i / 2 } else { i };"
             "#define calls if (x > 0) { call(up) };"
             "P() = a{up} -> b{down; x = call(half, x)} -> c{calls} -> Skip;",
             "var x = 0;\n"
             "P() = a{ if (x < 3) { x = x + 1; } else { x = 0; }; } -> "
             "b{ if (x > 0) { if (x > 5) { x = 0; } else { x = x - 1; }; }; "
             "x = [x / 2, x][!((x % 2) == 0)]; } -> "
             "c{ if (x > 0) { if (x < 3) { x = x + 1; } else { x = 0; }; }; } "
             "-> Skip;\n");
}

/* ---- declarations ---- */

static void declarations(void **state)
{
    static const char source[] =
        "#import \"PAT.Lib.Example\"; // and a comment\n"
        "/* another\n one */ //@@Name@@\n"
        "enum{red, green, blue}; enum {one, two};\n"
        "#define C -1; #define p (x==blue && y>0);\n"
        "var x; var y=3; var b:{0..7}=two; var o:{1..}; var u:{..5}=-3;\n"
        "var t = true; hvar h = 2; var a[C+3]; var l=[0,1(3),4..6,9..7];\n"
        "var z[2]:{0..4}=[4(2)]; var m[2][3]=[1,2,3(2),5..6];\n"
        "channel c 5; channel d[3] C+1;\n"
        "#alphabet P {e.i, k:{0..1}@f.k};\n"
        "Q(i:{0..C+3}, j, k:{..two}) = Stop;\n"
        "P(i) = e.i -> tau{x = call(mine, x, a)} -> Skip;";
    (void)state;
    reads_as(source,
             "#import \"PAT.Lib.Example\";\n"
             "var x = 0;\nvar y = 3;\nvar b:{0..7} = 1;\nvar o:{1..} = 1;\n"
             "var u:{..5} = -3;\nvar t = true;\nhvar h = 2;\n"
             "var a[2] = [0(2)];\n"
             "var l[10] = [0, 1(3), 4, 5, 6, 9, 8, 7];\n"
             "var z[2]:{0..4} = [4(2)];\n"
             "var m[2][3] = [1, 2, 3(2), 5, 6];\n"
             "channel c 5;\nchannel d[3] 0;\n"
             "#define C -1;\n#define p (x == 2) && (y > 0);\n"
             "Q(i:{0..2}, j, k:{..1}) = Stop;\n"
             "P(i) = e.i -> tau{ x = call(mine, x, a); } -> Skip;\n"
             "#alphabet P {e.i, k:{0,1}@f.k};\n");
}

/* What changes a collection is an assignment; what it answers waits in a
 * variable of the program. */
static void collections_are_read(void **state)
{
    static const char declared[] =
        "var<List> l = new List(); hvar<Set> s; var<Stack> k[2]; var x;"
        "var<Queue> q; var<HashTable> t;";
    static const char body[] =
        "#define full (q.Count() == 2 || s.Contains(x) || l == new List());"
        "P(i) = [full] e.q.First().(l.Get(i)+1){ l.Add(k[i].Peek()); "
        "x = q.Dequeue(); var u = k[1].Pop(); q = new Queue(); l = l.Concat(l);"
        " s = s.Union(new Set(), s.Intersect(s)); s.Remove(3); x = u; "
        "l.Insert(q.Count(), q.Dequeue()); if (t.ContainsKey(x)) { t.Remove(x) "
        "} } -> Skip;";
    char source[1000];
    (void)state;
    snprintf(source, sizeof source, "%s%s", declared, body);
    reads_as(
        source,
        "var<List> l;\nhvar<Set> s;\nvar<Stack> k[2];\nvar x = 0;\n"
        "var<Queue> q;\nvar<HashTable> t;\n"
        "#define full ((q.Count() == 2) || s.Contains(x)) || (l == new "
        "List());\n"
        "P(i) = [((q.Count() == 2) || s.Contains(x)) || (l == new List())] "
        "(e.q.First().(l.Get(i) + 1){ l.Add(k[i].Peek()); x = q.Dequeue(); "
        "var temp_2 = k[1].Pop(); q = new Queue(); l = l.Concat(l); "
        "s = s.Union(new Set(), s.Intersect(s)); s.Remove(3); x = temp_2; "
        "var temp_3 = q.Count(); l.Insert(temp_3, q.Dequeue()); if "
        "(t.ContainsKey(x)) { t.Remove(x); }; } -> Skip);\n");
}

/* Whether a method of a struct changes it is not known here. */
static void structs_are_read(void **state)
{
    (void)state;
    reads_as(
        "#import \"board.c\"; var<Board> b = new Board(); var x; var<List> l;"
        "P() = [b.Get(0) == 1] e{ x = b.Move(1, x); b.Move(2, 0); "
        "l.Add(b.Get(x)); b = new Board(); x = b.Get(1) + 1 } -> Skip;",
        "#import \"board.c\";\nvar<Board> b;\nvar x = 0;\nvar<List> l;\n"
        "P() = [b.Get(0) == 1] (e{ x = b.Move(1, x); b.Move(2, 0); "
        "l.Add(b.Get(x)); b = new Board(); x = b.Get(1) + 1; } -> "
        "Skip);\n");
}

static void globals_are_laid_out_in_slots(void **state)
{
    const struct plumb_csp_reading r =
        reading_of("var x = 4; channel c 5; var m[2][3]; channel d[3] 0;"
                   "hvar t = true; P() = Skip;");
    struct plumb_csp_model *const m = model_of(&r);
    (void)state;
    assert_int_equal(m->variables, 3);
    assert_int_equal(m->channels, 2);
    assert_int_equal(m->slots, 1 + 6 + 1 + 1 + 3);
    assert_int_equal(m->variable[1].slot, 1);
    assert_int_equal(m->variable[1].size, 6);
    assert_int_equal(m->variable[1].dimensions, 2);
    assert_int_equal(m->variable[2].slot, 7);
    assert_true(m->variable[2].unseen && m->variable[2].boolean);
    assert_int_equal(m->channel[0].slot, 8);
    assert_int_equal(m->channel[0].capacity, 5);
    assert_int_equal(m->channel[1].slot, 9);
    assert_true(m->channel[1].array && m->channel[1].size == 3);
    plumb_csp_model_free(m);
}

static void declarations_may_come_after_their_use(void **state)
{
    (void)state;
    reads_as("P() = [p] Q(N); Q(i) = e{a[i-1] = 1} -> P();"
             "#define p a[0] == N; var a[N]; #define N 1;",
             "var a[1] = [0];\n#define p a[0] == 1;\n#define N 1;\n"
             "P() = [a[0] == 1] Q(1);\n"
             "Q(i) = e{ a[i - 1] = 1; } -> P();\n");
}

static void a_semicolon_ends_or_joins(void **state)
{
    (void)state;
    reads_as("P() = Skip; Q(); Q() = Skip; R; R = Skip; var x; S() = Skip;",
             "var x = 0;\nP() = Skip ; Q();\nQ() = Skip ; R();\n"
             "R() = Skip;\nS() = Skip;\n");
}

/* ---- assertions ---- */

static void assertions(void **state)
{
    static const char source[] =
        "#define goal x > 1; var x; P() = a -> P(); Q(i) = a -> Q(i);\n"
        "#assert P() deadlockfree; #assert P nonterminating;\n"
        "#assert P() divergencefree; #assert Q(2) deterministic;\n"
        "#assert P() refines Q(1); #assert P() refines<F> P();\n"
        "#assert P() refines <FD> P(); #assert P() refines<T> P();\n"
        "#assert P() reaches goal; #assert P() reaches goal with min(x+1);\n"
        "#assert P() reaches x==2 with max(x);\n"
        "#assert P() lockfree(clients 1+1); #assert P waitfree (clients 3);\n"
        "#assert P() obstructionfree (clients 64); #assert P() = Q(1+1);\n"
        "#assert P() |= [] ( a  /* c */ -> <> goal&&\"c!5\" );";
    (void)state;
    reads_as(source, "var x = 0;\n#define goal x > 1;\nP() = a -> P();\n"
                     "Q(i) = a -> Q(i);\n"
                     "#assert P() deadlockfree;\n#assert P() nonterminating;\n"
                     "#assert P() divergencefree;\n"
                     "#assert Q(2) deterministic;\n#assert P() refines Q(1);\n"
                     "#assert P() refines<F> P();\n"
                     "#assert P() refines<FD> P();\n#assert P() refines P();\n"
                     "#assert P() reaches x > 1;\n"
                     "#assert P() reaches x > 1 with min(x + 1);\n"
                     "#assert P() reaches x == 2 with max(x);\n"
                     "#assert P() lockfree (clients 2);\n"
                     "#assert P() waitfree (clients 3);\n"
                     "#assert P() obstructionfree (clients 64);\n"
                     "#assert P() = Q(2);\n"
                     "#assert P() |= [] ( a -> <> goal&&\"c!5\" );\n");
}

static void formula_is(const char *source, const char *wanted)
{
    char text[600];
    snprintf(text, sizeof text,
             "enum {one, two}; #define NINETY 90; #define p x > 1; var x;"
             "channel c 2; channel d 0; P() = a -> P(); #assert P() |= %s;",
             source);
    const struct plumb_csp_reading r = reading_of(text);
    struct plumb_csp_model *const m = model_of(&r);
    assert_string_equal(m->assertion[0].formula, wanted);
    plumb_csp_model_free(m);
}

/* As long as it was, so that columns are right. */
static void formulas_have_constants_put_in(void **state)
{
    (void)state;
    formula_is("[] (p -> <> e.NINETY.two)", "[] (p -> <> e.90.1      )");
    formula_is("e.true && \"e.two\" U e.-1", "e.1    && \"e.two\" U e.-1");
    formula_is("X !c!5.NINETY", "X !c!5.90    ");
    formula_is("<>c?two /\\ !d!5 xor d ? 7.0", "<>c?1   /\\ !d.5 xor d.7.0  ");
    formula_is("true U !p", "true U !p");
}

/* Behind the step in which it is chosen what x begins as. */
static void formulas_of_any_beginning_begin_later(void **state)
{
    const struct plumb_csp_reading r =
        reading_of("var x:{0..1} = *; P() = a -> P(); #assert P() |= []<> a;");
    struct plumb_csp_model *const m = model_of(&r);
    (void)state;
    assert_string_equal(m->assertion[0].text, "P() |= []<> a");
    assert_string_equal(m->assertion[0].formula, "X([]<> a)");
    assert_int_equal(m->assertion[0].formula_place.column, 50 - 2);
    plumb_csp_model_free(m);
}

static void an_assertion_has_its_text_and_place(void **state)
{
    const struct plumb_csp_reading r = reading_of(
        "P() = a -> P();\n  #assert   P()\n |=  [] // always\n  <> a;");
    struct plumb_csp_model *const m = model_of(&r);
    (void)state;
    assert_int_equal(m->assertions, 1);
    assert_string_equal(m->assertion[0].text, "P() |= [] <> a");
    assert_string_equal(m->assertion[0].formula, "[] <> a");
    assert_int_equal(m->assertion[0].place.line, 2);
    assert_int_equal(m->assertion[0].place.column, 13);
    assert_int_equal(m->assertion[0].formula_place.line, 3);
    assert_int_equal(m->assertion[0].formula_place.column, 6);
    plumb_csp_model_free(m);
}

/* ---- settings, included files, functions ---- */

static void settings_stand_instead_of_defines(void **state)
{
    const struct plumb_csp_setting set[] = { { "N", 5 }, { "p", 0 } };
    struct plumb_csp_reading r =
        reading_of("#define N 2; #define p x == 1; var x; var a[N];"
                   "P() = [p] e.N -> Skip;");
    (void)state;
    r.setting = set;
    r.settings = 2;
    struct plumb_csp_model *const m = model_of(&r);
    check_text(m, "var x = 0;\nvar a[5] = [0(5)];\n#define N 5;\n"
                  "#define p 0;\nP() = [0] (e.5 -> Skip);\n");
    plumb_csp_model_free(m);
}

static const char *include(void *context, const char *path, size_t *size)
{
    const char *const *const file = context;
    for (size_t i = 0; file[i]; i += 2)
        if (strcmp(file[i], path) == 0) {
            *size = strlen(file[i + 1]);
            return file[i + 1];
        }
    return NULL;
}

static void files_are_included_once(void **state)
{
    static const char *files[] = { "one", "#include \"two\"; var x = K;", "two",
                                   "#define K 4;", NULL };
    struct plumb_csp_reading r = reading_of(
        "#include \"one\";\n#include \"two\"; P() = [x == K] e -> Skip;");
    (void)state;
    r.include = include;
    r.context = files;
    struct plumb_csp_model *const m = model_of(&r);
    assert_int_equal(m->files, 3);
    assert_string_equal(m->file[0], "m.csp");
    assert_string_equal(m->file[1], "one");
    assert_string_equal(m->file[2], "two");
    assert_int_equal(m->variable[0].place.file, 1);
    check_text(m, "var x = 4;\n#define K 4;\nP() = [x == 4] (e -> Skip);\n");
    plumb_csp_model_free(m);
}

/* Each is read before the other goes on. */
static void files_may_include_each_other(void **state)
{
    static const char *files[] = { "one", "#include \"two\"; var x = K;", "two",
                                   "#include \"one\"; #define K 4;", NULL };
    struct plumb_csp_reading r =
        reading_of("#include \"two\"; P() = [x == K] e -> Skip;");
    (void)state;
    r.include = include;
    r.context = files;
    struct plumb_csp_model *const m = model_of(&r);
    check_text(m, "var x = 4;\n#define K 4;\nP() = [x == 4] (e -> Skip);\n");
    assert_int_equal(m->files, 3);
    plumb_csp_model_free(m);
}

static void errors_in_included_files_point_to_the_include(void **state)
{
    static const char *files[] = { "one",  "#include \"two\";",
                                   "two",  "\n var x = y;",
                                   "self", "#include \"self\";",
                                   NULL };
    struct plumb_csp_reading r = reading_of("P() = Skip;\n#include \"one\";");
    (void)state;
    r.include = include;
    r.context = files;
    fails_with(&r, 2, 1, "two:2:10: variable y is not defined");
    r = reading_of(" #include \"self\";");
    r.include = include;
    r.context = files;
    fails_with(&r, 1, 2, "self:1:10: self includes itself");
}

static void functions_are_built_in_or_imported(void **state)
{
    const struct plumb_csp_reading r = reading_of(
        "#import \"lib.so\"; var x; var a[2]; P() = e{x = call(mine, x, a);"
        "x = call(max, x, 1); x = call(mine, 1, a); call(done)} -> Skip;");
    struct plumb_csp_model *const m = model_of(&r);
    (void)state;
    assert_int_equal(m->imports, 1);
    assert_string_equal(m->import[0], "lib.so");
    assert_int_equal(m->import_place[0].column, 9);
    assert_int_equal(m->functions, 3);
    assert_string_equal(m->function[0].name, "mine");
    assert_int_equal(m->function[0].arguments, 2);
    assert_null(m->function[0].function);
    assert_string_equal(m->function[1].name, "max");
    assert_non_null(m->function[1].function);
    assert_int_equal(m->function[2].arguments, 0);
    plumb_csp_model_free(m);
}

static plumb_csp_function *function_named(const char *name,
                                          const char *arguments)
{
    char text[200];
    snprintf(text, sizeof text,
             "var x; var a[4]; P() = e{call(%s, %s)} -> Skip;", name,
             arguments);
    const struct plumb_csp_reading r = reading_of(text);
    struct plumb_csp_model *const m = model_of(&r);
    plumb_csp_function *const f = m->function[0].function;
    plumb_csp_model_free(m);
    return f;
}

static int32_t apply(plumb_csp_function *f, int32_t a, int32_t b)
{
    const union plumb_csp_argument args[] = { { .value = a }, { .value = b } };
    const uint32_t sizes[] = { 1, 1 };
    return f(args, sizes, 2);
}

static void built_in_functions_do_what_they_say(void **state)
{
    plumb_csp_function *const min = function_named("min", "1, 2");
    plumb_csp_function *const max = function_named("max", "1, 2");
    plumb_csp_function *const magnitude = function_named("abs", "1");
    plumb_csp_function *const amax = function_named("amax", "a");
    const int32_t values[] = { -4, 7, 2, -9 };
    const union plumb_csp_argument array = { .array = values };
    const uint32_t four = 4;
    (void)state;
    assert_int_equal(apply(min, 3, -2), -2);
    assert_int_equal(apply(max, 3, -2), 3);
    assert_int_equal(apply(magnitude, -2, 0), 2);
    assert_int_equal(apply(magnitude, INT32_MIN, 0), INT32_MAX);
    assert_int_equal(amax(&array, &four, 1), 7);
}

/* Of two timestamps exactly one is later, and there is one later than both. */
static void timestamps_form_a_tournament(void **state)
{
    plumb_csp_function *const order = function_named("mailorder", "1, 2");
    plumb_csp_function *const dominate = function_named("dominate", "1, 2");
    (void)state;
    for (int32_t v = 1; v <= 7; v++)
        for (int32_t w = 1; w <= 7; w++) {
            assert_int_equal(apply(order, v, w) + apply(order, w, v), v != w);
            const int32_t x = apply(dominate, v, w);
            assert_true(apply(order, x, v) && apply(order, x, w));
            for (int32_t y = 1; y < x; y++)
                assert_false(apply(order, y, v) && apply(order, y, w));
        }
    assert_int_equal(apply(order, 1, 3), 1);
    assert_int_equal(apply(order, 7, 6), 1);
    assert_int_equal(apply(dominate, 1, 1), 2);
    assert_int_equal(apply(dominate, 0, 1), -1);
    assert_int_equal(apply(order, 8, 1), 0);
}

/* ---- memory ---- */

static const char everything[] =
    "#import \"l\"; #define N 2; #define p x == 1; #define m(i) i*2;"
    "#define blk {x = 0}; enum{r, g}; var x:{0..9} = 1; var a[N] = [1(2)];"
    "hvar h; channel c 1; channel d[2] 0; #alphabet P {e.i, k:{0..1}@e.k};"
    "P(i) = e.i{blk; var t = call(m, 3); while (t > 0) t--; if (p) x = 2} ->"
    "c!1.x -> c?[u < 3]u.1 -> d[1]?v -> Q();"
    "Q() = (if (p) {Skip} else {Stop}); ifa (p) {Skip}; ifb (p) {Skip};"
    "case {p: Skip default: Stop}; assert(p); atomic{e -> Skip};"
    "([p] e -> Skip [] e -> Skip) <> (e -> Skip [*] e -> Skip) interrupt Skip;"
    "R() = (||| i:{0..N}@P(i)) || (|||{2}@Q()) \\{e, k:{0..2}@e.k};"
    "channel q 1; A(b) = e.(b[0]).(b[x]) -> A(b);"
    "B() = q!a -> q?w -> [w == a] e{a = w} -> A([x, 1(2), 1..2]) ||| A(a);"
    "T(n:{0..N}) = [] k:{n..n+1,3}@e.k -> ((|||{n}@Q()) \\{l:{0..k}@e.l});"
    "S() = e{x = true; x = call(f, a)} -> Skip || e -> Skip;"
    "#object o {var n; operation f(v:{1..2}) {if (n == 0) {return 1;} n = v;"
    "return 2;} operation g() {n = 0}}"
    "#assert P(0) refines<F> Q(); #assert Q() reaches p with max(x);"
    "#assert Q() |= []<>p; #assert R() linearizable o(2);"
    "#assert R() linearizable o(2) at points;"
    "#assert R() linearizable \"queue\" (clients 2, values {1..3});";

static void every_failed_allocation_is_survived(void **state)
{
    struct plumb_budget *const budget = plumb_budget_new(0, 0);
    struct plumb_csp_reading r = reading_of(everything);
    size_t nth = 0;
    enum plumb_status status;
    (void)state;
    assert_non_null(budget);
    r.budget = budget;
    do {
        struct plumb_csp_model *model = NULL;
        struct plumb_error err = { .status = PLUMB_OK };
        plumb_base_budget_fail_at(budget, ++nth);
        status = plumb_csp_model_read(&r, &model, &err);
        assert_true(status == PLUMB_OK || status == PLUMB_EMEMORY);
        assert_int_equal(status == PLUMB_OK, model != NULL);
        plumb_csp_model_free(model);
        assert_int_equal(plumb_budget_used(budget), 0);
    } while (status != PLUMB_OK);
    assert_true(nth > 4);
    plumb_budget_free(budget);
    reads_as(everything, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atoms),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(inputs_bind_new_names_only),
        cmocka_unit_test(names_are_bound_where_they_reach),
        cmocka_unit_test(precedence_of_processes),
        cmocka_unit_test(chains_are_one_process),
        cmocka_unit_test(indices_swallow_what_is_right_of_them),
        cmocka_unit_test(events_are_hidden),
        cmocka_unit_test(legacy_conditions_go_right),
        cmocka_unit_test(precedence_of_expressions),
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(indexed_truth_values),
        cmocka_unit_test(calls),
        cmocka_unit_test(statements),
        cmocka_unit_test(blocks_with_a_name),
        cmocka_unit_test(an_if_is_a_value_or_statements),
        cmocka_unit_test(declarations),
        cmocka_unit_test(collections_are_read),
        cmocka_unit_test(structs_are_read),
        cmocka_unit_test(globals_are_laid_out_in_slots),
        cmocka_unit_test(declarations_may_come_after_their_use),
        cmocka_unit_test(a_semicolon_ends_or_joins),
        cmocka_unit_test(assertions),
        cmocka_unit_test(formulas_have_constants_put_in),
        cmocka_unit_test(formulas_of_any_beginning_begin_later),
        cmocka_unit_test(an_assertion_has_its_text_and_place),
        cmocka_unit_test(settings_stand_instead_of_defines),
        cmocka_unit_test(files_are_included_once),
        cmocka_unit_test(files_may_include_each_other),
        cmocka_unit_test(errors_in_included_files_point_to_the_include),
        cmocka_unit_test(functions_are_built_in_or_imported),
        cmocka_unit_test(built_in_functions_do_what_they_say),
        cmocka_unit_test(timestamps_form_a_tournament),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
