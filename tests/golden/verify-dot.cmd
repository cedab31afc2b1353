plumb verify --dot light.dot light.csp
cat light.dot
plumb verify --dot stack.dot -D SIZE=40 stack
plumb verify --dot light.dot light.csp
