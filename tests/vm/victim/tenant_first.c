// SPDX-License-Identifier: GPL-2.0-only
#define TENANT_WORK work_of_first
#include "tenant.h"
