/* test_edn.c - reading operation maps in EDN. */
#include "histories.h"

#define INVOKE(p, f, v)                                                        \
    "{:process " p ", :type :invoke, :f " f ", :value " v "}\n"
#define OK(p, f, v)   "{:process " p ", :type :ok, :f " f ", :value " v "}\n"
#define FAIL(p, f, v) "{:process " p ", :type :fail, :f " f ", :value " v "}\n"
#define INFO(p, f, v) "{:process " p ", :type :info, :f " f ", :value " v "}\n"

static void reads(const char *text, const char *expected)
{
    assert_reads(PLUMB_FORMAT_EDN, text, expected);
}

static void vector_list_and_stream_are_one_history_each(void **state)
{
    (void)state;
    const char *const one =
        "0-1 1 object read() ok ok(nil) spec cas-register\n";
    reads("[" INVOKE("1", ":read", "nil") OK("1", ":read", "nil") "]", one);
    reads("(" INVOKE("1", ":read", "nil") OK("1", ":read", "nil") ")", one);
    reads(INVOKE("1", ":read", "nil") OK("1", ":read", "nil"), one);
}

static void each_top_level_collection_is_a_history(void **state)
{
    (void)state;
    reads("[" INVOKE("1", ":read", "nil") "]" INVOKE("2", ":read", "nil")
              INVOKE("3", ":read", "nil") "(" INVOKE("4", ":acquire",
                                                     "nil") ")[]",
          "0-never 1 object read() open spec cas-register\n"
          "0-never 2 object read() open; "
          "1-never 3 object read() open spec cas-register\n"
          "0-never 4 object acquire() open spec mutex\n"
          "\n");
}

static void comments_commas_and_discards_are_white_space(void **state)
{
    (void)state;
    reads("; a comment {\n[ #_ {:process 3} #_#_ 1 2 #_nothing\n"
          "{:f :read,,, :process 1 ; }\n :type #_ :ok :invoke} #_ #a #b [1]]",
          "0-never 1 object read() open spec cas-register\n");
}

static void fail_never_happened_and_info_is_pending(void **state)
{
    (void)state;
    reads(INVOKE("1", ":cas", "[1 2]") FAIL("1", ":cas", "[1 2]")
              INVOKE("1", ":cas", "[1 2]") INFO("1", ":cas", ":timeout")
                  INVOKE("1", ":cas", "[3 4]") OK("1", ":cas", "[3 4]"),
          "0-1 1 object cas(1,2) fail; 2-3 1 object cas(1,2) info; "
          "4-5 1 object cas(3,4) ok ok(true) spec cas-register\n");
}

static void other_keys_may_hold_anything(void **state)
{
    (void)state;
    reads("[{:index 0, :error [:a {:b #{1 \"}\"}}], \"x\" \\}, :process 1,\n"
          "  :time 5, {:a 1} (2), :f :write, :type :invoke, :value 3}]",
          "0-never 1 object write(3) open spec cas-register\n");
}

static void the_nemesis_is_ignored(void **state)
{
    (void)state;
    reads("{:process :nemesis, :type :info, :f :start, :time 99,\n"
          " :value {:cut #{99999999999999999999 nil}}}\n" INVOKE(
              "0", ":release", "nil") OK("0", ":release", "nil"),
          "0-1 0 object release() ok ok() spec mutex\n");
}

static void the_nemesis_alone_is_a_history_without_operations(void **state)
{
    (void)state;
    reads("{:process :nemesis, :type :info, :f :start}\n"
          "{:process :nemesis, :type :invoke, :f :stop, :value 3}\n",
          "\n");
    reads("[{:process :observer, :type :info, :f :look}]", "\n");
}

static void clients_may_have_names(void **state)
{
    (void)state;
    reads(INVOKE(":a", ":write", "1") INVOKE("\"b\"", ":write", "2")
              INFO(":a", ":write", "1") INFO(":a", ":look", "nil")
                  OK("b", ":write", "2"),
          "0-2 a object write(1) info; 1-3 b object write(2) ok ok() "
          "spec cas-register\n");
    reads(OK(":a", ":write", "1"),
          "1:1: this response has no matching call of process a\n");
}

static void a_dequeue_of_nil_found_nothing(void **state)
{
    (void)state;
    reads(INVOKE("0", ":dequeue", "nil") OK("0", ":dequeue", "nil")
              INVOKE("0", ":dequeue", "nil") OK("0", ":dequeue", ":empty")
                  INVOKE("0", ":dequeue", "nil") OK("0", ":dequeue", "7")
                      INVOKE("0", ":enqueue", "8") OK("0", ":enqueue", "8"),
          "0-1 0 object dequeue() ok empty(); "
          "2-3 0 object dequeue() ok empty(); "
          "4-5 0 object dequeue() ok ok(7); "
          "6-7 0 object enqueue(8) ok ok() spec queue\n");
}

static void a_completion_that_says_more_has_a_result(void **state)
{
    (void)state;
    reads(INVOKE("0", ":add", "1") OK("0", ":add", "1") INVOKE("0", ":add", "1")
              OK("0", ":add", "false") INVOKE("0", ":insert", "[5 :a]")
                  OK("0", ":insert", "[5 a]"),
          "0-1 0 object add(1) ok ok(); 2-3 0 object add(1) ok ok(false); "
          "4-5 0 object insert(5,'a') ok ok()\n");
}

static void key_value_logs_are_maps_of_strings(void **state)
{
    (void)state;
    reads("{:process 0, :type :invoke, :f :get, :key \"7\", :value nil}\n"
          "{:process 0, :type :ok, :f :get, :key \"7\", :value \"\"}\n"
          "{:process 0, :type :invoke, :f :put, :key \"7\", :value \"x 1\"}\n"
          "{:process 0, :type :ok, :f :put, :key \"7\", :value \"x 1\"}\n"
          "{:process 0, :type :invoke, :f :append, :key \"7\", :value \"y\"}\n"
          "{:process 0, :type :ok, :f :append, :key \"7\", :value nil}\n",
          "0-1 0 object get('7') ok ok(''); "
          "2-3 0 object put('7','x 1') ok ok(); "
          "4-5 0 object append('7','y') ok ok() spec map:init=\"\"\n");
}

static void tuples_of_jepsen_independent_name_objects(void **state)
{
    (void)state;
    reads(INVOKE("0", ":write", "#jepsen.independent/tuple [:a 1]")
              INVOKE("1", ":cas", "#jepsen.independent.Tuple [12 [1 2]]")
                  OK("0", ":write", "#jepsen.independent/tuple [:a 1]")
                      INFO("1", ":cas", "nil"),
          "0-2 0 a write(1) ok ok(); 1-3 1 12 cas(1,2) info "
          "spec cas-register\n");
}

static void tuples_need_no_tag(void **state)
{
    (void)state;
    reads(INVOKE("0", ":read", "[5 nil]") INVOKE("1", ":write", "(:a 1)")
              OK("0", ":read", "[5 nil]") OK("1", ":write", "(:a 1)") INVOKE(
                  "1", ":cas", "[5 [nil 2]]") OK("1", ":cas", "[5 [nil 2]]")
                  INVOKE("1", ":read", "[5 9]") OK("1", ":read", "[5 2]"),
          "0-2 0 5 read() ok ok(nil); 1-3 1 a write(1) ok ok(); "
          "4-5 1 5 cas(nil,2) ok ok(true); 6-7 1 5 read() ok ok(2) "
          "spec cas-register\n");
    reads(INVOKE("0", ":dequeue", "#jepsen.independent [5 1]"),
          "0-never 0 5 dequeue() open spec queue\n");
    reads(INVOKE("0", ":write", "[5 1]") OK("0", ":write", "[6 1]"),
          "2:1: this response has no matching call: it names object \"6\", the "
          "open call object \"5\"\n");
}

/* All values of a history are tuples, or none is. */
static void a_pair_may_be_a_result(void **state)
{
    (void)state;
    reads(INVOKE("0", ":read", "nil") OK("0", ":read", "[1 2]")
              INVOKE("0", ":cas", "[1 2]") OK("0", ":cas", "[1 2]"),
          "0-1 0 object read() ok ok(1,2); 2-3 0 object cas(1,2) ok ok(true) "
          "spec cas-register\n");
}

static void keys_are_arguments_where_some_have_none(void **state)
{
    (void)state;
    reads(INVOKE("0", ":write", "[:x 1]") OK("0", ":write", "[:x 1]")
              INVOKE("0", ":read", ":x") OK("0", ":read", "1")
                  INVOKE("0", ":remove", ":x") OK("0", ":remove", "1"),
          "0-1 0 object write('x',1) ok ok(); 2-3 0 object read('x') ok ok(1); "
          "4-5 0 object remove('x') ok ok(1)\n");
    reads(INVOKE("0", ":put", "[:x 1]") OK("0", ":put", "nil")
              INVOKE("0", ":read", ":x") OK("0", ":read", "1"),
          "0-1 0 object put('x',1) ok ok(); 2-3 0 object read('x') ok ok(1)\n");
}

/* Knossos writes into the call what comes of it. */
static void the_value_of_a_question_says_nothing(void **state)
{
    (void)state;
    reads(INVOKE("0", ":read", "3") OK("0", ":read", "4")
              INVOKE("0", ":read", "99999999999999999999")
                  INFO("0", ":read", "5"),
          "0-1 0 object read() ok ok(4); 2-3 0 object read() info "
          "spec cas-register\n");
    reads(INVOKE("0", ":dequeue", "3") OK("0", ":dequeue", "3")
              INVOKE("0", ":dequeue", "3") OK("0", ":dequeue", "nil"),
          "0-1 0 object dequeue() ok ok(3); 2-3 0 object dequeue() ok empty() "
          "spec queue\n");
    reads(INVOKE("0", ":acquire", "3") OK("0", ":acquire", "3"),
          "0-1 0 object acquire() ok ok() spec mutex\n");
    reads("{:process 0 :type :invoke :f :get :key 1 :value 3}\n"
          "{:process 0 :type :ok :f :get :key 1 :value 3}\n",
          "0-1 0 object get(1) ok ok(3) spec map:init=\"\"\n");
}

static void remove_and_get_may_have_an_argument(void **state)
{
    (void)state;
    reads(INVOKE("0", ":remove", "3") OK("0", ":remove", "3")
              INVOKE("0", ":remove", "nil") OK("0", ":remove", "4")
                  INVOKE("0", ":get", "5") OK("0", ":get", "6"),
          "0-1 0 object remove(3) ok ok(); 2-3 0 object remove() ok ok(4); "
          "4-5 0 object get(5) ok ok(6)\n");
}

/* A specification in which `name` takes one argument more than in others. */
static bool takes_more(const void *name, const char *text, size_t length,
                       size_t nargs)
{
    const bool more = strlen(name) == length && !memcmp(name, text, length);
    const bool is_write = length == 5 && !memcmp(text, "write", 5);
    return nargs == (size_t)more + is_write;
}

static void assert_reads_for(const char *name, const char *text,
                             const char *expected)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    assert_int_equal(plumb_reader_open(&r, text, strlen(text), PLUMB_FORMAT_EDN,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    plumb_reader_signature(r, (struct plumb_signature){ takes_more, name });
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    show_history(&t, &h);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
    plumb_reader_close(r);
}

static void the_specification_says_what_an_argument_is(void **state)
{
    (void)state;
    assert_reads_for("read", INVOKE("0", ":read", "3"),
                     "0-never 0 object read(3) open spec cas-register");
    assert_reads_for("write", INVOKE("0", ":read", "3"),
                     "0-never 0 object read() open spec cas-register");
    assert_reads_for("write", INVOKE("0", ":write", "[1 2]"),
                     "0-never 0 object write(1,2) open spec cas-register");
    assert_reads_for("read", INVOKE("0", ":write", "[1 2]"),
                     "0-never 0 1 write(2) open spec cas-register");
    assert_reads_for("take", INVOKE("0", ":take", "3"),
                     "0-never 0 object take(3) open");
    assert_reads_for("lock", INVOKE("0", ":lock", "3"),
                     "0-never 0 object lock(3) open");
    assert_reads_for("read", INVOKE("0", ":remove", "3"),
                     "0-never 0 object remove() open");
}

static void records_and_other_tags_are_read_through(void **state)
{
    (void)state;
    reads("#jepsen.history.Op{:process 0, :type :invoke, :f :write,\n"
          " :value #inst \"2020\"} {:process 0 :type :ok :f :write\n"
          " :value #x #y \"2020\"}",
          "0-1 0 object write('2020') ok ok() spec cas-register\n");
}

static void scalars_of_every_kind_are_values(void **state)
{
    (void)state;
    reads(INVOKE("0", ":a",
                 "[true false nil -5 +5 7N 1.5 1/2 \\( a/b ##Inf "
                 "\"q\\\"\\u00e9\\n\" [1 [2]] #{1} #\"re\"]"),
          "0-never 0 object a(true,false,nil,-5,5,7,'1.5','1/2','\\(','a/b',"
          "'##Inf','q\"\xc3\xa9\n','[1 [2]]','#{1}','re') open\n");
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    reads("[{:process 1}\n", "1:2: the operation has no :type\n");
    reads("\n {:type :ok}", "2:2: the operation has no :process\n");
    reads("{:process 1 :type :invoke}", "1:1: the operation has no :f\n");
    reads("{:process 1 :type :begin :f :read}",
          "1:19: expected :invoke, :ok, :fail or :info, found the keyword "
          "begin\n");
    reads("{:process 1 :type :invoke :f [:a]}",
          "1:30: expected the name of a function, found [\n");
    reads("[" INVOKE("1", ":read", "nil"), "1:1: [ is never closed\n");
    reads("{:process 1\n", "1:1: { is never closed\n");
    reads("{:a [1 2}", "1:9: } does not close the [ of line 1\n");
    reads("{:a }", "1:5: expected a value, found }\n");
    reads("[1 2]", "1:2: expected an operation map, found 1\n");
    reads("foo", "1:1: expected an operation map or a vector, found foo\n");
    reads("{:a \"b\n\n", "1:5: unterminated string\n");
    reads("{:process 1 :f :write :type :invoke :value \"\\q\"}",
          "1:44: unknown escape in a string\n");
    reads("{:process 1 :f :write :type :invoke :value 99999999999999999999}",
          "1:44: bad number 99999999999999999999: expected a value that fits "
          "in 64 bits\n");
    reads("{:process 1 :f :r :type :invoke :value #jepsen.independent [1]}",
          "1:62: expected a value, found ]\n");
    reads("{:process 1 :f :r :type :invoke :value #jepsen.independent [1 2 3]}",
          "1:40: a tuple should have a key and a value\n");
    reads("[#_]", "1:2: #_ has nothing to discard\n");
    reads("[#a]", "1:2: the tag #a has no form\n");
    reads("{:a #b}", "1:5: the tag #b has no form\n");
    reads("{:a #}", "1:5: # without a tag\n");
    reads("{: 1}", "1:2: : without a keyword\n");
    reads(OK("1", ":read", "2"),
          "1:1: this response has no matching call of process 1\n");
    reads(INVOKE("1", ":read", "nil") "  " INVOKE("1", ":read", "nil"),
          "2:3: process 1 calls read while its call on line 1 is still open\n");
    reads(INVOKE("1", ":read", "nil") OK("1", ":write", "2"),
          "2:1: process 1 completes write, but called another operation\n");
    reads(INVOKE("0", ":write", "#jepsen.independent [:a 1]")
              OK("0", ":write", "#jepsen.independent [:b 1]"),
          "2:1: this response has no matching call: it names object \"b\", the "
          "open call object \"a\"\n");
}

static void the_time_of_a_process_does_not_run_backwards(void **state)
{
    (void)state;
    reads("{:process 1 :type :invoke :f :read :time 5}\n"
          "{:process :n :time 2}\n"
          "{:process 1 :type :ok :f :read :value 1 :time 5}",
          "0-1 1 object read() ok ok(1) spec cas-register\n");
    reads("{:process 1 :type :invoke :f :read :time 5}\n"
          "{:process 1 :type :ok :f :read :value 1 :time 4}",
          "2:47: time runs backwards in process 1\n");
    reads("{:process 1 :type :invoke :f :read :time 5}\n"
          "{:process 2 :type :invoke :f :read :time 4}",
          "0-never 1 object read() open; 1-never 2 object read() open "
          "spec cas-register\n");
    reads("{:process 1 :type :invoke :f :read :time soon}\n",
          "1:42: bad number soon: :time should be an integer\n");
}

/* They are forgotten when there are many. */
static void many_processes_have_times(void **state)
{
    (void)state;
    enum { MANY = 70000 };
    struct plumb_base_text t, seen;
    plumb_base_text_init(&t, NULL);
    plumb_base_text_init(&seen, NULL);
    for (unsigned i = 0; i < MANY; i++)
        plumb_base_text_printf(&t,
                               "{:process %u :type :invoke :f :read :time %u}\n"
                               "{:process %u :type :fail :f :read :time %u}\n",
                               i, i + 1, i, i + 1);
    plumb_base_text_printf(&t, "{:process %u :type :invoke :f :read :time 0}\n",
                           MANY - 1);
    read_all(&seen, PLUMB_FORMAT_EDN, t.data, t.size, NULL);
    assert_string_equal(plumb_base_text_string(&seen),
                        "140001:46: time runs backwards in process 69999\n");
    plumb_base_text_release(&t);
    plumb_base_text_release(&seen);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    static char deep[2 * DEEP + 8] = "{:a ";
    memset(deep + 4, '[', DEEP);
    assert_reads_bytes(PLUMB_FORMAT_EDN, deep, DEEP + 4,
                       "1:205: forms are nested too deeply\n");
    for (size_t i = 0; i < DEEP; i++)
        memcpy(deep + 4 + 2 * i, "#_", 2);
    assert_reads_bytes(PLUMB_FORMAT_EDN, deep, 2 * DEEP + 4,
                       "1:405: forms are nested too deeply\n");
}

static void too_many_values_are_refused_by_name(void **state)
{
    (void)state;
    char text[1024] = "{:process 1 :type :invoke :f :write :value [";
    for (int i = 0; i < 300; i++)
        strcat(text, "1 ");
    strcat(text, "]}");
    reads(text, "1:1: write has more than 255 arguments\n");
}

static void operation_maps_are_recognised(void **state)
{
    (void)state;
    const char *const yes[] = { "[{:process 1, :type :invoke", "; x\n({:type 1",
                                "#jepsen.history.Op{:index 0", "[]",
                                "{:f :read" };
    const char *const no[] = { "{\"process\": 1}", "[1] call pop", "",
                               "Q enq(1) P1",      "[[{:a 1}]]",   "(foo)" };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_int_equal(plumb_format_detect(yes[i], strlen(yes[i])),
                         PLUMB_FORMAT_EDN);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_int_not_equal(plumb_format_detect(no[i], strlen(no[i])),
                             PLUMB_FORMAT_EDN);
}

static void lack_of_memory_is_survived(void **state)
{
    (void)state;
    const char text[] = INVOKE("0", ":write",
                               "#jepsen.independent [12 \"a\\n\"]")
        OK("0", ":write", "nil") INVOKE(
            "1", ":dequeue",
            "nil") "{:process 2 :type :invoke :f :write :time 5 :value [7 8]}";
    assert_survives_lack_of_memory(PLUMB_FORMAT_EDN, text, sizeof text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_list_and_stream_are_one_history_each),
        cmocka_unit_test(each_top_level_collection_is_a_history),
        cmocka_unit_test(comments_commas_and_discards_are_white_space),
        cmocka_unit_test(fail_never_happened_and_info_is_pending),
        cmocka_unit_test(other_keys_may_hold_anything),
        cmocka_unit_test(the_nemesis_is_ignored),
        cmocka_unit_test(a_dequeue_of_nil_found_nothing),
        cmocka_unit_test(a_completion_that_says_more_has_a_result),
        cmocka_unit_test(key_value_logs_are_maps_of_strings),
        cmocka_unit_test(the_nemesis_alone_is_a_history_without_operations),
        cmocka_unit_test(clients_may_have_names),
        cmocka_unit_test(many_processes_have_times),
        cmocka_unit_test(tuples_of_jepsen_independent_name_objects),
        cmocka_unit_test(tuples_need_no_tag),
        cmocka_unit_test(a_pair_may_be_a_result),
        cmocka_unit_test(keys_are_arguments_where_some_have_none),
        cmocka_unit_test(the_value_of_a_question_says_nothing),
        cmocka_unit_test(remove_and_get_may_have_an_argument),
        cmocka_unit_test(the_specification_says_what_an_argument_is),
        cmocka_unit_test(records_and_other_tags_are_read_through),
        cmocka_unit_test(scalars_of_every_kind_are_values),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(the_time_of_a_process_does_not_run_backwards),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(too_many_values_are_refused_by_name),
        cmocka_unit_test(operation_maps_are_recognised),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
