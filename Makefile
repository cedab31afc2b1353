# A short front to CMake.  Newcomers: `make demo`, then `make test`.
#
#   make             build/plumb; with another compiler: make CC=clang
#   make demo        set up, build, and show what it does.  SETUP=no, as with
#                    any target: install nothing
#   make test        set up, then every test
#   make test-full   and every exhaustive one
#   make asan        the tests under the address and undefined sanitizers
#   make tsan        the tests under the thread sanitizer
#   make coverage    build/coverage/index.html
#   make format      clang-format
#   make lint        clang-tidy, cppcheck, shellcheck
#   make fuzz        every reader for FUZZ_SECONDS=60
#   make bench       measure how fast histories are decided
#   make bench-explore  measure how fast schedules are explored: some minutes
#   make bench-lineup  the paper's table 2 on Line-Up, with ours: ten minutes
#   make bench-monitors  measure how fast long histories are: some minutes
#   make bench-paper  the paper's experiment on monitors, build/monitors.svg:
#                    ten minutes
#   make bench-infer  the automaton of Line-Up against the list of histories
#   make bench-verify  the paper's table on refinement, with ours: some minutes
#   make soak        measure how simulate finds faults, and soak it: 30 minutes
#   make install     PREFIX=/usr/local DESTDIR=
#   make uninstall   remove what was installed
#   make deb         build/deb/*.deb, a package for Debian
#   make clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FULL := OFF
B := build

build_in = cmake --build $(1) --parallel $(JOBS)

all:
	@tools/configure $B
	@$(call build_in,$B)

demo: setup-build
	@echo "Building $B/plumb: a minute or two."
	@mkdir -p $B
	@{ tools/configure $B && $(call build_in,$B); } >$B/demo.log 2>&1 || \
	  { cat $B/demo.log; exit 1; }
	@examples/demo.sh $B/plumb

test: tests-of-plain tests-of-asan
	@tests/run.sh -j $(JOBS) $B $B/asan

test-full: FULL := ON
test-full: setup-full tests-of-plain tests-of-asan
	@tests/run.sh -j $(JOBS) $B $B/asan

asan: tests-of-asan
	@tests/run.sh -j $(JOBS) $B/asan

tsan: tests-of-tsan
	@tests/run.sh -j $(JOBS) $B/tsan

coverage: setup-develop tests-of-coverage
	@find $B/coverage -name '*.gcda' -delete
	@tests/run.sh -j $(JOBS) $B/coverage
	@gcovr --root . --filter src --filter app --filter cli --print-summary \
	  --html-details $B/coverage/index.html $B/coverage

tests-of-plain: setup-test
	@tools/configure $B -DBUILD_TESTING=ON -DFULL_TESTS=$(FULL)
	@$(call build_in,$B)

tests-of-asan: setup-test
	@tools/configure $B/asan -DBUILD_TESTING=ON -DFULL_TESTS=$(FULL) -DSANITIZE=address,undefined
	@$(call build_in,$B/asan)

tests-of-tsan: setup-test
	@tools/configure $B/tsan -DBUILD_TESTING=ON -DFULL_TESTS=$(FULL) -DSANITIZE=thread
	@$(call build_in,$B/tsan)

tests-of-coverage: setup-test
	@tools/configure $B/coverage -DBUILD_TESTING=ON -DFULL_TESTS=$(FULL) -DCOVERAGE=ON
	@$(call build_in,$B/coverage)

format: setup-develop
	clang-format -i $$(git ls-files '*.c' '*.h')

lint: setup-develop tests-of-plain
	tools/lint $B $(JOBS)

fuzz: setup-test
	CC=clang tests/fuzz/run.sh $(FUZZ_SECONDS)

bench: setup-test
	@$(MAKE) --no-print-directory all
	@bench/run.sh $B

bench-explore: setup-test
	@$(MAKE) --no-print-directory all
	@bench/explore.sh $B

bench-lineup: setup-test
	@$(MAKE) --no-print-directory all
	@bench/lineup.sh $B

bench-infer: setup-test
	@tools/configure $B -DBUILD_TESTING=ON >/dev/null
	@cmake --build $B --target plumb-cli plumb-host telling-host >/dev/null
	@tests/infer/plain.py -v $B/plumb $B/tests/infer/telling-host 3 1

bench-monitors: setup-test
	@$(MAKE) --no-print-directory all
	@bench/monitors.sh $B

bench-paper: setup-test
	@$(MAKE) --no-print-directory all
	@bench/paper.sh $B $B/monitors.svg

bench-verify: setup-test
	@$(MAKE) --no-print-directory all
	@bench/verify.sh $B
	@python3 bench/puzzles.py $B/plumb

soak: setup-test
	@$(MAKE) --no-print-directory all
	@bench/simulate.sh $B

install: all
	cmake --install $B --prefix "$$(realpath -m '$(PREFIX)')"
	@cp $B/install_manifest.txt $B/installed
	@[ -n '$(DESTDIR)' ] || [ "$$(id -u)" != 0 ] || ldconfig

uninstall:
	@tools/uninstall $B

deb: setup-deb
	@tools/deb $B

clean:
	rm -rf $B

setup-%:
	@tools/setup.sh $*

.PHONY: all demo test test-full asan tsan coverage tests-of-plain \
	tests-of-asan tests-of-tsan tests-of-coverage format lint fuzz bench \
	bench-explore bench-infer bench-lineup bench-monitors bench-paper \
	bench-verify soak install uninstall deb clean
