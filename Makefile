# SPDX-License-Identifier: GPL-2.0-or-later
#
# For people: make demo shows a kernel die and what it did before, make check
# runs every test that a submission must pass.  Each part has a Makefile of its
# own, which this one calls.

# Key of the Debian kernel that guests run; see scripts/kernels.
KERNEL ?= 6.1
# Kernels that the modules are built against.
BUILD_KERNELS := 5.10 6.1
BUILD_KERNELS_LONG := $(BUILD_KERNELS) 6.12 7.2

KDIR = $(shell scripts/kernels --headers $(KERNEL))
JOBS := $(shell nproc)
# Of modules: debugging information takes a quarter of their build, and most of their size.  For gdb:
# make module KCFLAGS=
KCFLAGS ?= -g0
export KCFLAGS

# Parts with tests of their own that need no guest.
PARTS := $(patsubst %/Makefile,%,$(wildcard tests/lint/Makefile \
	tests/model/Makefile tests/golden/Makefile tests/fuzz/Makefile tests/bench/Makefile))
GUESTS_LONGEST := $(addprefix tests/vm/,kdump/kdump-tools.sh arch/kdump-arm64.sh arch/warm-s390x.sh \
	warm/warm-reboot.sh)
GUESTS := $(GUESTS_LONGEST) $(filter-out %/format-compare.sh $(GUESTS_LONGEST),\
	$(sort $(wildcard tests/vm/*/*.sh)))
PARTS_LONG := $(foreach part,$(PARTS) tests/unit,$(if $(shell grep '^check-long' $(part)/Makefile),$(part)))
GUESTS_LONG := $(sort $(wildcard tests/vm/*/long/*.sh))

CHECKS := $(filter-out $(PARTS:%=%/check),$(wildcard tests/*/check))

# Rooms of tests/unit, and one by one the tests of those that take longest, which come first.
ROOMS_LONGEST := kernel region
UNITS_LONGEST := $(basename $(foreach room,$(ROOMS_LONGEST),$(wildcard tests/unit/$(room)/*_test.*)))
UNIT_ROOMS := $(sort $(patsubst tests/unit/%/,%,$(dir $(wildcard tests/unit/*/*_test.*))))
UNIT_SUITES := $(patsubst tests/unit/%,'tests/unit/run %',$(UNITS_LONGEST)) \
	$(patsubst %,'tests/unit/run %/',$(filter-out $(ROOMS_LONGEST),$(UNIT_ROOMS)))

PART_SUITES := $(PARTS:%='$(MAKE) --no-print-directory -s -C % check') $(CHECKS)
BUILD_SUITES := 'tests/builds $(KERNEL)' \
	$(patsubst %,'tests/builds --few %',$(filter-out $(KERNEL),$(BUILD_KERNELS)))
# Guests wait now and then: for their timers, and for what they dump.
SUITES_AT_ONCE := $(shell expr $(JOBS) + 1)
# make check T=sysrq-c: the suites that have this in their command.
# The tool is not optimized as one program here, which takes as long as compiling it again.
QUICK := WHOLE= EACH=-O3
TALLY = tests/tally -j $(SUITES_AT_ONCE) -d build/tap $(if $(T),--only '$(T)')
# make check T=dump/kdump, or T=dump/: a test of tests/unit, or a room.
UNITS := $(if $(T),$(wildcard tests/unit/$(T)*_test.*))

# With make -jN, all parts share its N jobs.
AT_ONCE = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
BUILD = '$(MAKE) --no-print-directory -j$(JOBS) guests programs'

.PHONY: all deps kernels module extractor small initramfs victim guests
.PHONY: programs check check-unit check-long matrix campaign demo bench manual install uninstall deb rpm release tags debug
.PHONY: clean

all: module extractor initramfs

deps:
	scripts/deps

kernels: deps
	scripts/kernels $(KERNEL)

module: kernels
	$(MAKE) $(AT_ONCE) -C kernel KDIR=$(KDIR)
	$(MAKE) $(AT_ONCE) -C pstore-backend KDIR=$(KDIR)

extractor: deps
	$(MAKE) $(AT_ONCE) -C extractor

# Of the same objects.
small: extractor
	$(MAKE) $(AT_ONCE) -C extractor static small

initramfs: kernels small
	$(MAKE) -C initramfs KERNEL=$(KERNEL)

victim: module
	$(MAKE) $(AT_ONCE) -C tests/vm/victim KDIR=$(KDIR)

# What all guests need.
guests: victim extractor initramfs
	$(MAKE) -C tests/vm KERNEL=$(KERNEL)

# The tools that tests run, and the tests of tests/unit.
programs: small
	$(MAKE) --no-print-directory -s $(AT_ONCE) -C extractor crash
	$(MAKE) --no-print-directory -s $(AT_ONCE) -C tests/unit

# What takes longest first, so that nothing waits for it at the end.
ifneq ($(UNITS),)
check:
	$(if $(filter %.sh,$(UNITS)),$(MAKE) --no-print-directory -s -j$(JOBS) -C extractor)
	$(MAKE) --no-print-directory -s -j$(JOBS) -C tests/unit T=$(T)
	tests/tally -d build/tap 'tests/unit/run $(T)'
else
check:
	$(QUICK) $(TALLY) --room 2 --build $(BUILD) \
		$(GUESTS_LONGEST) $(PART_SUITES) $(UNIT_SUITES) $(BUILD_SUITES) \
		$(filter-out $(GUESTS_LONGEST),$(GUESTS))
endif

check-unit: programs
	tests/tally -j $(JOBS) -d build/tap $(UNIT_SUITES)

check-long:
	WAYS="asan plain" $(TALLY) --build $(BUILD) \
		$(GUESTS) $(GUESTS_LONG) $(PART_SUITES) $(UNIT_SUITES) \
		$(PARTS_LONG:%='$(MAKE) --no-print-directory -s -C % check-long') \
		$(BUILD_KERNELS_LONG:%='tests/builds %')

# Each feature on each architecture and kernel; docs/architectures.md.  make matrix ONLY=arm64 MINUTES=30
matrix: guests programs
	tests/matrix/run $(if $(ONLY),--only '$(ONLY)') $(if $(MINUTES),--minutes '$(MINUTES)')

# make campaign N=1000: so many stops of a guest; docs/campaigns.md has the sums.
campaign: N ?= 1000
campaign: guests
	STOPS=$(N) tests/campaign sh tests/vm/warm/long/stops.sh

demo: guests
	scripts/demo

bench: guests
	$(MAKE) -C tests/bench

# The manual as HTML, and the manual pages, in build/manual.
manual: deps
	$(MAKE) -C extractor pages
	scripts/manual build/manual/html
	@echo "the manual is build/manual/html/index.html"

# WHAT, of scripts/install.list, below DESTDIR and prefix as everywhere; docs/packages.md.
install uninstall: WHAT ?= tool services

install:
	$(MAKE) -C extractor all $(if $(filter kdump-utils kdump-suse,$(WHAT)),small)
	scripts/install $(WHAT)

uninstall:
	scripts/install --remove $(WHAT)

# Debian's packages, in build/deb.
deb:
	scripts/deps packages
	scripts/deb build/deb

# RPMs, in build/rpm.
rpm:
	scripts/deps packages
	scripts/rpm build/rpm

# A tarball with its packages and their sums, in build/release; all of it is tried.
release:
	scripts/deps packages
	scripts/release build/release

# For editors: where each function is, and how each file is compiled.
tags:
	scripts/deps develop
	git ls-files '*.[ch]' | ctags -L -

compile_commands.json: module
	scripts/compile-commands >$@.new
	mv $@.new $@

# The tool for a debugger: build/extractor/epitaph-debug.
debug: deps
	$(MAKE) -j$(JOBS) -C extractor debug

clean:
	-$(MAKE) -C extractor clean
	-$(MAKE) -C kernel clean KDIR=$(KDIR)
	-$(MAKE) -C pstore-backend clean KDIR=$(KDIR)
	-$(MAKE) -C tests/vm/victim clean KDIR=$(KDIR)
	rm -rf build demo-out bench-out
