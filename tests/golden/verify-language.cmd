# Arrays as a whole; where sender and receiver meet, c.5 is the event c.5.
cat >arrays.csp <<'END'
var grid[2][2] = [1, 2, 3, 4];
var row[4];
Fill() = fill { row = grid; grid = [9, 8(2), 7]; } -> again { row = row; } -> Skip;
#define filled (row[0] == 1 && row[3] == 4 && grid[0][1] == 8 && grid[1][1] == 7);
#assert Fill() reaches filled;
END
cat >uneven.csp <<'END'
var a[3];
var b[4];
P() = e { a = b; } -> Skip;
#assert P() deadlockfree;
END
cat >meeting.csp <<'END'
channel wire 0;
Talk() = wire!5 -> wire!6 -> Talk();
Listen() = wire?x -> Listen();
Seen() = wire.5 -> wire.6 -> Seen();
Half() = wire.6 -> Half();
Both() = Talk() ||| Listen();
Some() = Both() \ {wire.5};
Two() = |||{2} @ (wire!5 -> Stop [] wire?x -> Stop);
#assert Both() refines Seen();
#assert Some() refines Half();
#assert Two() refines Seen();
#assert Both() |= []<> wire.6;
END
for model in arrays uneven meeting; do
    plumb verify --quiet $model.csp
done
cat >numbers.csp <<'END'
#import "PAT.Math";
var x = 0;
P() = e { x = call(Pow, 2, 10) + call(Sqrt, 99) + call(pow, 7, -1) + call(Min, 3, call(Abs, -4)); } -> Skip;
#assert P() reaches right;
#define right (x == 1024 + 9 + 0 + 3);
END
plumb verify --quiet numbers.csp
# The count of another tool needs no other option.
plumb verify --quiet --count pat2 stack
plumb verify --quiet --count pat3 stack
