# What the author of an object can get wrong, in one line each.
command -v cc >/dev/null || exit 77
# tried MEMBERS: the object with these members.
tried()
{
    {
        echo "#include <plumb/object.h>"
        echo "static void f(plumb_invocation *i) { (void)i; }"
        echo "PLUMB_OBJECT($1);"
    } >wrong.c
    load-target wrong.c
}
tried '.operations = { { "f", f } }'
tried '.name = "X"'
tried '.operations = { { 0, f } }'
tried '.operations = { { "", f } }'
tried '.operations = { { "f", 0 } }'
tried '.operations = { { "f", f }, { 0 }, { "g", f } }'
tried '.operations = { { "f", f }, { "g", f }, { "f", f } }'
tried '.operations = { { "f g", f } }'
tried '.operations = { { "f(", f } }'
tried '.operations = { { "f", f, { { 9, 0, 0, 0 } } } }'
tried '.operations = { { "f", f, { { -1, 0, 0, 0 } } } }'
tried '.operations = { { "f", f, { PLUMB_RANGE(3, 2) } } }'
tried '.operations = { { "f", f, { PLUMB_FRESH, PLUMB_ONE_OF("") } } }'
tried '.operations = { { "f", f, { PLUMB_ONE_OF("  ") } } }'
tried '.operations = { { "f", f, { PLUMB_ONE_OF(0) } } }'
tried '.operations = { { "f", f, { { 0 }, PLUMB_FRESH } } }'
tried '.operations = { { "f", f, { [3] = PLUMB_FRESH } } }'
tried '.operations = { { "f", f, .by = 7 } }'
tried '.name = "", .operations = { { "f", f } }'
tried '.spec = "", .operations = { { "f", f } }'
tried '.operations = { { "f", f } }, .init = "f() g()"'
tried '.operations = { { "f", f } }, .init = "f(1)"'
tried '.operations = { { "f", f, { PLUMB_FRESH } } }, .final = "f(x)"'
tried '.operations = { { "f", f } }, .final = "f() | f()"'
echo "-- other files"
sed "s/PLUMB_OBJECT(/PLUMB_OBJECT(.version = 7, /" wrong.c >version.c
CFLAGS=-w load-target version.c
echo "int x;" >none.c
load-target none.c
load-target max_register.c
