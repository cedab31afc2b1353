/* debug_symbols.h - names for the offsets of a shared object.
 *
 * An offset is an address minus the one at which the object is loaded.  With
 * debug information and libdw at build time: functions, lines, variables with
 * their members, and what a block of the heap is allocated for.  Without: what
 * the symbol table has.  Whatever is not known is said so, never made up. */
#ifndef PLUMB_APP_BINARY_DEBUG_SYMBOLS_H
#define PLUMB_APP_BINARY_DEBUG_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

enum { SYMBOL_NAME = 128, SYMBOL_PATH = 512 };

struct binary_symbols;

/* NULL if the file is no shared object, or memory is used up. */
struct binary_symbols *binary_symbols_open(const char *path);
void binary_symbols_close(struct binary_symbols *s);

/* ---- code ---- */

/* "" and 0: not known.  Library code that was inlined (std::atomic) is skipped:
 * the place is where it was called. */
struct binary_symbol_place {
    char function[SYMBOL_NAME]; /* the innermost, also if it was inlined   */
    char caller[SYMBOL_NAME];   /* inlined: the function it is in          */
    char file[SYMBOL_NAME];     /* without directories                     */
    char path[SYMBOL_PATH];     /* from the directory of the compilation or
                                   of the source, or absolute              */
    char absolute[SYMBOL_PATH]; /* from the root; "" if that is not known  */
    unsigned line;
    bool library; /* it is all in a header of the system, or so */
};
bool binary_symbols_place(const struct binary_symbols *s, uint64_t offset,
                          struct binary_symbol_place *place);

/* That place, and where what is inlined there was called, outwards: functions
 * with their own names, also those of libraries.  `caller` is not set.  The
 * number, at most `room`. */
unsigned binary_symbols_places(const struct binary_symbols *s, uint64_t offset,
                               struct binary_symbol_place *place,
                               unsigned room);

/* ---- data ---- */

typedef uint64_t binary_symbol_type; /* 0: none */

enum binary_symbol_shape {
    SHAPE_UNKNOWN,
    SHAPE_POINTER,
    SHAPE_SIGNED,
    SHAPE_UNSIGNED,
    SHAPE_BOOL,
    SHAPE_CHARACTER,
    SHAPE_ENUM,
    SHAPE_FLOAT,
    SHAPE_AGGREGATE
};

/* The smallest thing with a name that holds what was asked for. */
struct binary_symbol_spot {
    char name[SYMBOL_NAME]; /* queue.slots[3].value */
    enum binary_symbol_shape shape;
    uint32_t size;              /* 0: not known                      */
    uint32_t into;              /* bytes from where it begins        */
    binary_symbol_type type;    /* of it                             */
    binary_symbol_type pointee; /* POINTER: what it points to; or 0  */
};

/* The variable at an offset of the data; `size` 0: of whatever size. */
bool binary_symbols_variable(const struct binary_symbols *s, uint64_t offset,
                             uint32_t size, struct binary_symbol_spot *spot);

/* The thread-local variable at an offset of a thread's copy of them. */
bool binary_symbols_thread_local(const struct binary_symbols *s,
                                 uint64_t offset, uint32_t size,
                                 struct binary_symbol_spot *spot);

/* A function that runs: where in its code it was soon after it began, and
 * pointers to its stack and its frame there, 0 if not known. */
struct binary_symbol_frame {
    uint64_t pc;
    uint64_t stack, frame;
    uint64_t end; /* its variables are between `stack` and this */
};
/* Find `end`; false if it is not known. */
bool binary_symbols_frame(const struct binary_symbols *s,
                          struct binary_symbol_frame *f);

/* Its variable or parameter that has that address, while it is at `pc`. */
struct binary_symbol_variable {
    char name[SYMBOL_NAME];
    binary_symbol_type type;
    uint64_t at;
};
bool binary_symbols_stack_variable(const struct binary_symbols *s,
                                   const struct binary_symbol_frame *f,
                                   uint64_t pc, uint64_t at,
                                   struct binary_symbol_variable *variable);

/* The same in something of that type: `name` begins with . or [ or is "".  False
 * if it is beyond it. */
bool binary_symbols_inside(const struct binary_symbols *s,
                           binary_symbol_type type, uint64_t offset,
                           uint32_t size, struct binary_symbol_spot *spot);

/* What a block of so many bytes begins with, by the pointer that the result of
 * the call goes into that returns to `pc`; 0: not known. */
binary_symbol_type binary_symbols_block(const struct binary_symbols *s,
                                        uint64_t pc, uint64_t size);

/* A structure, class or union that has members, all of which are known. */
struct binary_symbol_record {
    uint64_t size;
    bool open_end; /* its last member is an array without end */
};
bool binary_symbols_record(const struct binary_symbols *s,
                           binary_symbol_type type,
                           struct binary_symbol_record *record);

/* Is there a `part` at that offset of `whole`?  At 0 it may be itself. */
bool binary_symbols_contains(const struct binary_symbols *s,
                             binary_symbol_type whole, uint64_t offset,
                             binary_symbol_type part);

/* Its name without parameters of templates; false if it has none. */
bool binary_symbols_type(const struct binary_symbols *s,
                         binary_symbol_type type, char name[SYMBOL_NAME],
                         uint64_t *size);

/* The name of a value of an ENUM; false if it is none of them. */
bool binary_symbols_enumerator(const struct binary_symbols *s,
                               binary_symbol_type type, int64_t value,
                               char name[SYMBOL_NAME]);

#endif
