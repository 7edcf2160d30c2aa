# SPDX-License-Identifier: BSD-3-Clause

# Finds the header and the loader of Level Zero, for programs that call it themselves; libtiletc loads it
# at run time. LevelZero_ROOT names the prefix in which it is looked for first.
#
#   LevelZero_FOUND       whether it was found
#   LevelZero::LevelZero  target to link

find_path(LevelZero_INCLUDE_DIR level_zero/ze_api.h)
find_library(LevelZero_LIBRARY ze_loader)
mark_as_advanced(LevelZero_INCLUDE_DIR LevelZero_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LevelZero REQUIRED_VARS LevelZero_LIBRARY LevelZero_INCLUDE_DIR)

if(LevelZero_FOUND AND NOT TARGET LevelZero::LevelZero)
    add_library(LevelZero::LevelZero UNKNOWN IMPORTED)
    set_target_properties(LevelZero::LevelZero PROPERTIES
        IMPORTED_LOCATION "${LevelZero_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${LevelZero_INCLUDE_DIR}")
endif()
