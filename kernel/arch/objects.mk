# SPDX-License-Identifier: GPL-2.0-only
# For Kbuild: what is built for this architecture alone.

ifdef CONFIG_X86_64
epitaph-y += arch/x86.o
else ifdef CONFIG_ARM64
epitaph-y += arch/arm64.o
else ifdef CONFIG_S390
epitaph-y += arch/s390x.o
else
epitaph-y += arch/generic.o
endif

# Machine checks.
ifdef CONFIG_X86_MCE
epitaph-y += sources/mce.o sources/mce_banks.o
else
epitaph-y += arch/mce_none.o
endif
