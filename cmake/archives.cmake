# SPDX-License-Identifier: BSD-3-Clause

# Read by CPack for each kind of package: archives that are unpacked beside each other share a folder with the version in
# its name, while a package for Debian has none.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
