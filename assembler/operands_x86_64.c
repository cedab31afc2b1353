/* operands_x86_64.c - see operands_x86_64.h. */
#include "operands_x86_64.h"

#include <stdlib.h>
#include <string.h>

const char *operand_next(const char *operands)
{
    int depth = 0;
    for (; *operands; operands++) {
        depth += (*operands == '(') - (*operands == ')');
        if (*operands == ',' && depth <= 0)
            return operands + 1 + strspn(operands + 1, " \t");
    }
    return operands;
}

size_t operand_length(const char *operand)
{
    const char *end = operand;
    for (int depth = 0; *end && (*end != ',' || depth > 0); end++)
        depth += (*end == '(') - (*end == ')');
    while (end > operand && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (size_t)(end - operand);
}

/* ---- registers ---- */

static const char *const general[][4] = {
    { "al", "ax", "eax", "rax" },  { "cl", "cx", "ecx", "rcx" },
    { "dl", "dx", "edx", "rdx" },  { "bl", "bx", "ebx", "rbx" },
    { "spl", "sp", "esp", "rsp" }, { "bpl", "bp", "ebp", "rbp" },
    { "sil", "si", "esi", "rsi" }, { "dil", "di", "edi", "rdi" },
    { "ah", "", "", "" },          { "ch", "", "", "" },
    { "dh", "", "", "" },          { "bh", "", "", "" },
};

static bool is(const char *text, size_t length, const char *name)
{
    return *name && strlen(name) == length && memcmp(text, name, length) == 0;
}

/* "r8d", "r15" */
static bool is_numbered(const char *text, size_t length,
                        struct operand_register *r)
{
    char *end;
    if (length < 2 || length > 4 || text[0] != 'r' || text[1] < '1' ||
        text[1] > '9')
        return false;
    r->number = (unsigned)strtoul(text + 1, &end, 10);
    const size_t left = length - (size_t)(end - text);
    if (r->number < 8 || r->number > 15 || left > 1)
        return false;
    r->size = left == 0     ? 8
              : *end == 'd' ? 4
              : *end == 'w' ? 2
              : *end == 'b' ? 1
                            : 0;
    return r->size;
}

static bool is_vector(const char *text, size_t length,
                      struct operand_register *r)
{
    static const struct {
        const char *name;
        unsigned size;
    } kinds[] = { { "xmm", 16 }, { "ymm", 32 }, { "zmm", 64 }, { "mm", 8 } };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t begin = strlen(kinds[k].name);
        if (length <= begin || memcmp(text, kinds[k].name, begin) != 0)
            continue;
        *r = (struct operand_register){ .number = (unsigned)strtoul(
                                            text + begin, NULL, 10),
                                        .size = kinds[k].size,
                                        .vector = true };
        return true;
    }
    return false;
}

bool operand_is_register(const char *text, size_t length,
                         struct operand_register *r)
{
    *r = (struct operand_register){ .number = 0 };
    if (length < 3 || *text != '%')
        return false;
    text++;
    length--;
    for (unsigned n = 0; n < sizeof general / sizeof *general; n++)
        for (unsigned size = 0; size < 4; size++)
            if (is(text, length, general[n][size])) {
                r->number = n < 8 ? n : n - 8;
                r->size = 1u << size;
                return true;
            }
    return is_numbered(text, length, r) || is_vector(text, length, r);
}
