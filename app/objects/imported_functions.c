/* imported_functions.c - C functions for models.
 *
 * An import stays loaded: its functions are called until the program ends.
 * One that crashes or calls exit() takes the program with it; what is left to
 * do is to say so, and to end with the status of an error, not of a verdict. */
#include "imported_functions.h"

#include "app/console/exit_status.h"
#include "app/console/say.h"
#include "base/text.h"
#include "plugin.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_STRUCT = 1 << 16 };

static bool is_bound(const struct plumb_csp_function_use *f)
{
    return f->function || f->foreign;
}

static bool all_bound(const struct plumb_csp_model *model)
{
    for (uint32_t i = 0; i < model->functions; i++)
        if (!is_bound(&model->function[i]))
            return false;
    for (uint32_t i = 0; i < model->class_count; i++)
        if (!model->classes[i].size)
            return false;
    for (uint32_t i = 0; i < model->class_methods; i++)
        if (!model->class_method[i].foreign)
            return false;
    return true;
}

/* PAT's own libraries are C#: what models use of them is built in. */
static bool is_pats(const char *import)
{
    return strncmp(import, "PAT.", 4) == 0;
}

static void *load(const char *file)
{
    struct objects_target p;
    void *handle = NULL;
    if (!objects_plugin_build(&p, file))
        return NULL;
    handle = dlopen(p.object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        console_say("%s: %s", file, dlerror());
    objects_target_release(&p);
    return handle;
}

static void bind_from(struct plumb_csp_model *model, void *handle)
{
    for (uint32_t i = 0; i < model->functions; i++) {
        struct plumb_csp_function_use *const f = &model->function[i];
        void *const symbol = is_bound(f) ? NULL : dlsym(handle, f->name);
        if (symbol)
            memcpy(&f->foreign, &symbol, sizeof symbol);
    }
}

/* CLASS_PART, if the import has it. */
static void *symbol_of(void *handle, const char *class, const char *part)
{
    char name[200];
    snprintf(name, sizeof name, "%s_%s", class, part);
    return dlsym(handle, name);
}

static void bind_classes(struct plumb_csp_model *model, void *handle)
{
    for (uint32_t i = 0; i < model->class_count; i++) {
        struct plumb_csp_class *const c = &model->classes[i];
        const size_t *const size = symbol_of(handle, c->name, "size");
        void *const begin = symbol_of(handle, c->name, "new");
        if (size && *size && *size <= MOST_STRUCT)
            c->size = *size;
        if (begin)
            memcpy(&c->begin, &begin, sizeof begin);
    }
    for (uint32_t i = 0; i < model->class_methods; i++) {
        struct plumb_csp_class_method *const m = &model->class_method[i];
        void *const found =
            symbol_of(handle, model->classes[m->of].name, m->name);
        if (found)
            memcpy(&m->foreign, &found, sizeof found);
    }
}

static bool import_file(struct plumb_csp_model *model, const char *import,
                        const char *path)
{
    const char *const slash = strrchr(path, '/');
    struct plumb_base_text beside = { 0 };
    void *handle = NULL;
    if (slash && *import != '/')
        plumb_base_text_bytes(&beside, path, (size_t)(slash - path) + 1);
    else if (!strchr(import, '/'))
        plumb_base_text_add(&beside, "./");
    plumb_base_text_add(&beside, import);
    if (!beside.broken)
        handle = load(plumb_base_text_string(&beside));
    plumb_base_text_release(&beside);
    if (handle) {
        bind_from(model, handle);
        bind_classes(model, handle);
    }
    return handle != NULL;
}

static void say_missing(const struct plumb_csp_model *model,
                        struct plumb_csp_place place, const char *class,
                        const char *part)
{
    console_say("%s:%u:%u: no import defines %s_%s", model->file[place.file],
                (unsigned)place.line, (unsigned)place.column, class, part);
}

static void say_unbound_classes(const struct plumb_csp_model *model)
{
    for (uint32_t i = 0; i < model->class_count; i++)
        if (!model->classes[i].size)
            say_missing(model, model->classes[i].place, model->classes[i].name,
                        "size, which is from 1 to 65536");
    for (uint32_t i = 0; i < model->class_methods; i++) {
        const struct plumb_csp_class_method *const m = &model->class_method[i];
        if (!m->foreign)
            say_missing(model, m->place, model->classes[m->of].name, m->name);
    }
}

static bool say_unbound(const struct plumb_csp_model *model)
{
    say_unbound_classes(model);
    for (uint32_t i = 0; i < model->functions; i++) {
        const struct plumb_csp_function_use *const f = &model->function[i];
        if (!is_bound(f))
            console_say("%s:%u:%u: no import defines a function %s",
                        model->file[f->place.file], (unsigned)f->place.line,
                        (unsigned)f->place.column, f->name);
    }
    return false;
}

/* ---- when they go wrong ---- */

enum { STACK = 64 * 1024, MOST_MODEL_NAME = 256 };
static char watched[MOST_MODEL_NAME]; /* the model; "": nobody is watched */
static char handler_stack[STACK];     /* theirs may be used up */
static const struct plumb_budget *limits;

/* Everything of ours ends within a second of its budget. */
enum { MOST_LATE = 5 };

/* In a signal handler: write() alone. */
static void say_death(const char *how, enum console_status status)
{
    const bool undecided = status == STATUS_UNDECIDED;
    const char *const part[] = { watched,
                                 undecided
                                     ? ": undecided (an imported function "
                                     : ": an imported function ",
                                 how, undecided ? ")\n" : "\n" };
    const int to = undecided ? STDOUT_FILENO : STDERR_FILENO;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (write(to, part[i], strlen(part[i])) < 0)
            break;
    _exit((int)status);
}

static void on_crash(int number)
{
    say_death(number == SIGFPE    ? "crashed (arithmetic error)"
              : number == SIGSEGV ? "crashed (segmentation fault)"
              : number == SIGABRT ? "aborted"
                                  : "crashed",
              STATUS_ERROR);
}

/* Once a second. */
static void on_time(int number)
{
    static volatile sig_atomic_t late;
    (void)number;
    late = watched[0] && plumb_budget_state(limits) != PLUMB_OK ? late + 1 : 0;
    if (late >= MOST_LATE)
        say_death("did not return in time", STATUS_UNDECIDED);
}

static void on_exit_of_theirs(void)
{
    if (watched[0])
        say_death("ended the process", STATUS_ERROR);
}

static void watch_time(void)
{
    const struct sigaction action = { .sa_handler = on_time,
                                      .sa_flags = (int)SA_RESTART };
    const struct itimerval every = { { .tv_sec = 1 }, { .tv_sec = 1 } };
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void watch(const char *path)
{
    static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    const struct sigaction action = { .sa_handler = on_crash,
                                      .sa_flags = (int)SA_ONSTACK };
    const stack_t stack = { .ss_sp = handler_stack,
                            .ss_size = sizeof handler_stack };
    strncpy(watched, path, sizeof watched - 1);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    atexit(on_exit_of_theirs);
    watch_time();
}

void objects_imported_functions_end(void)
{
    const struct itimerval never = { { 0 }, { 0 } };
    if (watched[0])
        setitimer(ITIMER_REAL, &never, NULL);
    watched[0] = '\0';
    limits = NULL;
}

bool objects_imported_functions_bind(struct plumb_csp_model *model,
                                     const char *path,
                                     const struct plumb_budget *budget)
{
    limits = budget;
    for (uint32_t i = 0; i < model->imports && !all_bound(model); i++) {
        if (is_pats(model->import[i]))
            continue;
        if (!watched[0])
            watch(path);
        if (!import_file(model, model->import[i], path))
            return false;
    }
    return all_bound(model) || say_unbound(model);
}
