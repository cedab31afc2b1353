plumb convert violations.hist v.jsonl
plumb convert v.jsonl v.plumb
plumb convert v.plumb v.txt
cat v.txt
plumb convert v.txt - --to jsonl | cmp - v.jsonl
plumb convert - - <violations.hist --to binary | plumb check -q -
