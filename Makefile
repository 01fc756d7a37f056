# SPDX-License-Identifier: GPL-2.0-only
# earlyout: `make help` lists what there is to make.

VERSION := 0.1
B := build

LLVM_VERSION := 19
LLVM_CONFIG ?= llvm-config-$(LLVM_VERSION)
LIBCLANG_PREFIX ?= $(shell $(LLVM_CONFIG) --prefix 2>/dev/null || echo /usr/lib/llvm-$(LLVM_VERSION))

PKGS := sqlite3 libxxhash
PKG_CONFIG ?= pkg-config
CC ?= cc
CFLAGS ?= -O2 -g
EO_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DEO_VERSION='"$(VERSION)"' \
	-Wall -Wextra -Werror -Wmissing-prototypes -Wshadow -Wvla \
	-Wpointer-arith -Wwrite-strings -pthread \
	-I. -Ianalyzer -I$(LIBCLANG_PREFIX)/include \
	$(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null)
EO_LIBS = -L$(LIBCLANG_PREFIX)/lib -Wl,-rpath,$(LIBCLANG_PREFIX)/lib -lclang \
	$(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null) -pthread

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
endif

SRC := $(sort $(wildcard analyzer/*/*.c db/*.c verify/*.c verify/*/*.c reports/*.c))
LIB_SRC := $(filter-out analyzer/cli/main.c,$(SRC))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
LIB := $(B)/libearlyout.a
BIN := $(B)/earlyout

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all
all: $(BIN)

$(BIN): $(B)/analyzer/cli/main.o $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(EO_LIBS)

$(LIB): $(LIB_OBJ)
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(EO_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(B)/analyzer/cli/main.o)
