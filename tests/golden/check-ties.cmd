plumb check -q ties.log
plumb check -q --ties call-first ties.log
plumb check -q --ties return-first ties.log
