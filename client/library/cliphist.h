/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clipboard history, for programs: all of the library. */
#pragma once
#include "cliphist-change.h"
#include "cliphist-content.h"
#include "cliphist-entry.h"
#include "cliphist-enums.h"
#include "cliphist-error.h"
#include "cliphist-history.h"
#include "cliphist-query.h"
#include "cliphist-types.h"
