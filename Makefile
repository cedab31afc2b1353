# A short front to CMake.  Newcomers: `make demo`, then `make test`.
#
#   make             build/plumb               make CC=clang   with another compiler
#   make demo        set up, build, show what it does
#   make test        set up, then every test   make test-full  and every exhaustive one
#   make asan tsan   unit tests under sanitizers
#   make coverage    build/coverage/index.html
#   make format lint fuzz bench clean
#   make install     PREFIX=/usr/local DESTDIR=

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
BUILD = build

# Where a directory is configured already CMake keeps its compiler and generator
# and reconfigures by itself, so only what was asked for is passed on.
ninja := $(if $(shell command -v ninja),-G Ninja)
compiler := $(if $(filter-out default,$(origin CC)),-DCMAKE_C_COMPILER=$(CC))
configure = cmake -S . -B $(1) $(if $(wildcard $(1)/CMakeCache.txt),,$(ninja)) \
	$(compiler) $(2) >$(BUILD)/configure.log 2>&1 || \
	{ cat $(BUILD)/configure.log; exit 1; }
make_all = cmake --build $(1) --parallel $(JOBS)

all: | $(BUILD)
	@$(call configure,$(BUILD),$(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF))
	@$(call make_all,$(BUILD))

demo: setup-build
	@$(MAKE) --no-print-directory all
	@examples/demo.sh $(BUILD)/plumb

test: setup-test plain-tests asan-tests
	@tests/run.sh -j $(JOBS) $(BUILD) $(BUILD)/asan

test-full: setup-test plain-tests asan-tests
	@tests/run.sh -j $(JOBS) --full $(BUILD) $(BUILD)/asan

asan: setup-test asan-tests
	@tests/run.sh -j $(JOBS) $(BUILD)/asan

tsan: setup-test | $(BUILD)
	@$(call configure,$(BUILD)/tsan,-DSANITIZE=thread)
	@$(call make_all,$(BUILD)/tsan)
	@tests/run.sh -j $(JOBS) $(BUILD)/tsan

coverage: setup-develop | $(BUILD)
	@$(call configure,$(BUILD)/coverage,-DCOVERAGE=ON)
	@$(call make_all,$(BUILD)/coverage)
	@tests/run.sh -j $(JOBS) $(BUILD)/coverage
	@gcovr --root . --filter src --filter cli --exclude-unreachable-branches \
	  --html-details $(BUILD)/coverage/index.html --print-summary $(BUILD)/coverage

plain-tests: setup-test | $(BUILD)
	@$(call configure,$(BUILD),-DBUILD_TESTING=ON)
	@$(call make_all,$(BUILD))

asan-tests: setup-test | $(BUILD)
	@$(call configure,$(BUILD)/asan,-DSANITIZE=address$(comma)undefined)
	@$(call make_all,$(BUILD)/asan)

sources = $(shell git ls-files '*.c' '*.h')
format:
	clang-format -i $(sources)

lint: setup-develop plain-tests
	tools/lint $(BUILD) $(JOBS)

fuzz: setup-test
	tests/fuzz/run.sh

bench: setup-test
	@$(MAKE) --no-print-directory plain-tests
	@bench/run.sh $(BUILD)

install: all
	cmake --install $(BUILD) --prefix '$(abspath $(PREFIX))'

clean:
	rm -rf $(BUILD)

setup-%:
	@tools/setup.sh $*

$(BUILD):
	@mkdir -p $@

comma := ,
.PHONY: all demo test test-full asan tsan coverage plain-tests asan-tests \
	format lint fuzz bench install clean
