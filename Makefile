# SPDX-License-Identifier: GPL-2.0-only
# earlyout: `make help` lists what there is to make.

VERSION := 0.1
B := build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
OUT ?= $(B)/out

LLVM_VERSION := 19
LLVM_CONFIG ?= llvm-config-$(LLVM_VERSION)
ifndef LIBCLANG_PREFIX
LIBCLANG_PREFIX := $(shell $(LLVM_CONFIG) --prefix 2>/dev/null || \
	echo /usr/lib/llvm-$(LLVM_VERSION))
endif
CLANG_FORMAT ?= clang-format-$(LLVM_VERSION)

PKGS := sqlite3 libxxhash gsl libmicrohttpd nettle
TEST_PKGS := cmocka
PKG_CONFIG ?= pkg-config
CC ?= cc
CFLAGS ?= -O2 -g
EO_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DEO_VERSION='"$(VERSION)"' \
	-Wall -Wextra -Werror -Wmissing-prototypes -Wshadow -Wvla \
	-Wpointer-arith -Wwrite-strings -pthread \
	-I. -Ianalyzer -I$(LIBCLANG_PREFIX)/include $(PKG_CFLAGS)
EO_LIBS = -L$(LIBCLANG_PREFIX)/lib -Wl,-rpath,$(LIBCLANG_PREFIX)/lib -lclang \
	$(PKG_LIBS) -pthread
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null)
PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null)

ifdef SANITIZE
B := build/san
EO_CFLAGS += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all
EO_LIBS += -fsanitize=$(SANITIZE)
endif

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
MAKEFLAGS += --no-print-directory
endif

SRC := $(sort $(wildcard analyzer/*/*.c db/*.c verify/*.c verify/*/*.c reports/*.c reports/*/*.c))
LIB_SRC := $(filter-out analyzer/cli/main.c,$(SRC))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
LIB := $(B)/libearlyout.a
BIN := $(B)/earlyout
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/%)
BENCH_BIN := $(B)/tests/bench/candidates
# What runs in a guest: one static program, plain C, never sanitized.
GUEST := $(B)/guest/earlyout-guest
GUEST_SRC := $(sort $(wildcard verify/bench/guest/*.c))
# What counts instructions in QEMU: a plugin that it loads.
PLUGIN := $(B)/guest/earlyout-count.so
PLUGIN_SRC := verify/bench/plugin/count.c
GUEST_CFLAGS = -I. -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
	-Wmissing-prototypes -Wshadow
SHELL_TESTS := $(sort $(wildcard tests/t/*.t))
# What the program reads at run time, and `make install` puts beside it.
DATA := $(wildcard analyzer/model/*.model analyzer/model/README.md \
	analyzer/rules/doc/*.txt \
	semantic-patches/*.cocci semantic-patches/*.h reports/assets/* \
	doc/hook-ssh.sh)
MAN := $(wildcard doc/*.1)

export EARLYOUT := $(abspath $(BIN))
export TESTDIR := $(abspath tests)
export B CC CLANG_FORMAT KERNEL
export HEADER_CFLAGS = $(EO_CFLAGS)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all
all: $(BIN) $(GUEST) $(PLUGIN) ## the program, build/earlyout (the default)

.PHONY: help
help: ## this list
	@printf 'usage: make [TARGET] [V=1] [SANITIZE=address,undefined]\n\n'
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | \
		expand -t 20
	@printf '\nvariables: KERNEL=DIR OUT=DIR PREFIX=DIR JOBS=N CC=… V=1\n'

.PHONY: deps
deps: ## install the Debian packages that are missing
	$(Q).ci/deps.sh

.PHONY: test-deps
test-deps: ## the same, and what the tests alone need
	$(Q).ci/deps.sh --tests

.PHONY: config
config: ## what was found of the compiler and the libraries
	$(Q).ci/probe.sh $(LIBCLANG_PREFIX) $(PKGS) $(TEST_PKGS)

.PHONY: run
run: deps ## find, patch and report on KERNEL=DIR, or on Debian's Linux 6.12
	$(Q)$(MAKE) -j$(JOBS) all
	$(Q).ci/run.sh $(BIN) "$(OUT)"

.PHONY: check
check: test-deps ## all tests: unit, shell, mechanical
	$(Q)$(MAKE) -j$(JOBS) all tests
	$(Q)tests/run.pl $(UNIT_BIN) $(SHELL_TESTS) tests/mechanical.sh

.PHONY: check-mechanical
check-mechanical: ## include order, sizes, style, docs: no code is run
	$(Q)tests/run.pl tests/mechanical.sh

.PHONY: check-kernel
check-kernel: $(BIN) ## the known answers on Debian's real kernel sources
	$(Q)tests/run.pl tests/real-kernel.sh

.PHONY: bench
bench: deps ## our passes beside rg and spatch, on the real tree
	$(Q)$(MAKE) -j$(JOBS) all $(BENCH_BIN)
	$(Q)CANDIDATES=$(BENCH_BIN) tests/bench.sh

.PHONY: bench-spatch-dir
bench-spatch-dir: ## time `spatch --dir` anew, the figure that bench compares with
	$(Q)tests/bench.sh spatch-dir

.PHONY: tests
tests: $(UNIT_BIN) ## build the unit tests

.PHONY: format
format: ## bring the C files into the style of .clang-format
	$(Q)$(CLANG_FORMAT) -i $(SRC) $(UNIT_SRC) \
		$(GUEST_SRC) $(PLUGIN_SRC) $(wildcard analyzer/*/*.h db/*.h verify/*.h \
		verify/*/*.h verify/bench/guest/*.h reports/*.h reports/*/*.h)

.PHONY: install
install: $(BIN) $(GUEST) $(PLUGIN) ## to PREFIX (/usr/local), below DESTDIR if set
	$(say) INSTALL $(DESTDIR)$(PREFIX)
	$(Q)install -D -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/earlyout"
	$(Q)install -D -m 755 $(GUEST) \
		"$(DESTDIR)$(PREFIX)/libexec/earlyout/earlyout-guest"
	$(Q)install -D -m 644 "$(PLUGIN)" \
		"$(DESTDIR)$(PREFIX)/libexec/earlyout/earlyout-count.so"
	$(Q)for f in $(DATA); do \
		install -D -m 644 "$$f" \
			"$(DESTDIR)$(PREFIX)/share/earlyout/$$f" || exit; \
	done
	$(Q)for f in $(MAN); do \
		install -D -m 644 "$$f" \
			"$(DESTDIR)$(PREFIX)/share/man/man1/$${f##*/}" || exit; \
	done

.PHONY: clean
clean: ## remove build/
	$(Q)rm -rf build

$(BIN): $(B)/analyzer/cli/main.o $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(EO_LIBS)

$(LIB): $(LIB_OBJ)
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

$(GUEST): $(GUEST_SRC) verify/bench/guest/guest.h $(B)/flags
	$(say) GUEST $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(GUEST_CFLAGS) -static -o $@ $(GUEST_SRC) -luring

$(PLUGIN): $(PLUGIN_SRC) $(B)/flags
	$(say) PLUGIN $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(GUEST_CFLAGS) -shared -fPIC -o $@ $(PLUGIN_SRC)

$(B)/%.o: %.c $(B)/flags
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(EO_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BENCH_BIN): %: %.o $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(EO_LIBS)

$(UNIT_BIN): $(B)/tests/%: $(B)/tests/unit/%.o $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(EO_LIBS) \
		$(shell $(PKG_CONFIG) --libs $(TEST_PKGS) 2>/dev/null)
$(B)/tests/unit/%.o: EO_CFLAGS += -DTESTDIR='"$(TESTDIR)"' \
	$(shell $(PKG_CONFIG) --cflags $(TEST_PKGS) 2>/dev/null)
.SECONDARY:

# Changes when the flags do, so that no object of other flags stays in use.
$(B)/flags: FORCE
	$(Q)mkdir -p $(B)
	$(Q)printf '%s\n' '$(subst ','\'',$(CC) $(EO_CFLAGS) $(CFLAGS))' >$@.new
	$(Q)if cmp -s $@ $@.new; then rm $@.new; else \
		.ci/probe.sh $(LIBCLANG_PREFIX) $(PKGS) && \
		mv $@.new $@; fi
.PHONY: FORCE
FORCE:

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(B)/analyzer/cli/main.o)
-include $(UNIT_SRC:%.c=$(B)/%.d) $(BENCH_BIN).d
