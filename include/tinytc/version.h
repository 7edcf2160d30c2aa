/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * The version of tinytc that tiletc is compatible with; programs compare against it.
 */

#ifndef TINYTC_VERSION_H
#define TINYTC_VERSION_H

#include <tinytc/export.h>

#include <tiletc/tiletc.h>

#define TINYTC_VERSION_MAJOR 0
#define TINYTC_VERSION_MINOR 4
#define TINYTC_VERSION_PATCH 0
#define TINYTC_VERSION_HASH TILETC_VERSION_HASH
#define TINYTC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE                                             \
    TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE
/** "v<major>.<minor>.<patch>-<commits>-<hash>" */
#define TINYTC_VERSION_DESCRIPTION                                                                 \
    "v0.4.0-" TILETC_VERSION_TEXT(                                                                 \
        TINYTC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE) "-" TINYTC_VERSION_HASH

#endif /* TINYTC_VERSION_H */
