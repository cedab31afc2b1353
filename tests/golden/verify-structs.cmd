# A struct in C is a value, as an array is: the same states, transitions and
# verdicts.  What it must not do is said where it is called.
command -v cc >/dev/null || exit 77
cat >board.c <<'C'
#include <stddef.h>
struct Board { signed char cell[3]; int moves; };
const size_t Board_size = sizeof(struct Board);
void Board_new(struct Board *b) { b->cell[1] = 1; }
int Board_Get(const struct Board *b, int i) { return b->cell[i]; }
int Board_Move(struct Board *b, int i, int by)
{
    b->cell[i] = (signed char)((b->cell[i] + by) % 3);
    b->moves = (b->moves + 1) % 5;
    return b->moves;
}
int Board_Count(struct Board *b) { static int n; return b->moves + n++; }
C
cat >struct.csp <<'M'
#import "board.c";
var<Board> b = new Board(); var<Board> two[2]; var m;
P(i) = move.i.(b.Get(i)){m = b.Move(i, i + 1); two[i % 2] = b} -> P(i)
       [] again.i{two[1].Move(i, 1)} -> P(i);
S() = P(0) ||| P(1) ||| reset{b = new Board()} -> Skip;
#define goal (b.Get(0) == 2 && b.Get(1) == 0 && two[0] == b);
#assert S() reaches goal;
#assert S() reaches (m == 9);
#assert S() deadlockfree;
M
cat >array.csp <<'M'
var c = [0, 1, 0, 0]; var d[2][4] = [0, 1, 0, 0, 0, 1, 0, 0]; var m;
#define move(i, by) { c[i] = (c[i] + by) % 3; c[3] = (c[3] + 1) % 5; };
P(i) = move.i.(c[i]){call(move, i, i + 1); m = c[3]; d[i % 2][0] = c[0];
                     d[i % 2][1] = c[1]; d[i % 2][3] = c[3]} -> P(i)
       [] again.i{d[1][i] = (d[1][i] + 1) % 3; d[1][3] = (d[1][3] + 1) % 5} -> P(i);
S() = P(0) ||| P(1) ||| reset{c = [0, 1, 0, 0]} -> Skip;
#define goal (c[0] == 2 && c[1] == 0 && d[0][0] == c[0] && d[0][1] == c[1] && d[0][3] == c[3]);
#assert S() reaches goal;
#assert S() reaches (m == 9);
#assert S() deadlockfree;
M
for model in struct array; do
    plumb verify --no-por --count pat3 --symmetry off --search breadth $model.csp | grep 'csp#\|counted'
done
plumb verify --assert 1 struct.csp | tail -n +6
for action in 'x = b.Count()' 'x = b.Move(1, 1) + 1' 'x = b.Missing(1)' 'b.Move(1)'; do
    cat >wrong.csp <<M
#import "board.c";
var<Board> b; var x; P() = a{$action} -> c{x = b.Move(0, 0)} -> P();
#assert P() deadlockfree;
M
    plumb verify wrong.csp
    echo "exit $?"
done
echo '#import "board.c"; var<Table> t; P() = a{t.Clear()} -> Skip; #assert P() deadlockfree;' >wrong.csp
plumb verify wrong.csp
