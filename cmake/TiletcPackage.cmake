# SPDX-License-Identifier: BSD-3-Clause

# What `cpack` makes of the installation: a package for Debian and its relatives, and a tar archive that may be unpacked
# anywhere. Static libraries, which are large, and what debuggers need are packages of their own.

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME tiletc)
set(CPACK_PACKAGE_VENDOR "The tiletc authors")
set(CPACK_PACKAGE_CONTACT "The tiletc authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "tiletc compiles the tensor language of the tinytc family to SPIR-V for Intel GPUs, and runs the
result from C, C++ and SYCL programs. Here are the library, its headers, the command-line tools, and
tiletc-virtual-gpu, which runs programs on an Intel GPU in software.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES OFF)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL tiletc static debug)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_FILE_NAME "tiletc-${PROJECT_VERSION}")
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/archives.cmake")
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" tiletc_system)
set(CPACK_ARCHIVE_TILETC_FILE_NAME "tiletc-${PROJECT_VERSION}-${tiletc_system}")
set(CPACK_ARCHIVE_STATIC_FILE_NAME "tiletc-static-${PROJECT_VERSION}-${tiletc_system}")
set(CPACK_ARCHIVE_DEBUG_FILE_NAME "tiletc-debug-${PROJECT_VERSION}-${tiletc_system}")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TILETC_PACKAGE_NAME tiletc)
set(CPACK_DEBIAN_STATIC_PACKAGE_NAME tiletc-static)
set(CPACK_DEBIAN_STATIC_PACKAGE_DEPENDS "tiletc (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEBUG_PACKAGE_NAME tiletc-dbgsym)
set(CPACK_DEBIAN_DEBUG_PACKAGE_SECTION debug)
set(CPACK_DEBIAN_DEBUG_PACKAGE_DEPENDS "tiletc (= ${PROJECT_VERSION})")
# The runtimes are loaded when they are called, and the tools do without.
set(CPACK_DEBIAN_TILETC_PACKAGE_RECOMMENDS "ocl-icd-libopencl1, libze1")
find_program(TILETC_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TILETC_SHLIBDEPS)
if(TILETC_SHLIBDEPS AND NOT TARGET tiletc::sycl)
    set(CPACK_DEBIAN_TILETC_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${tiletc_link_dir}")
else()
    set(CPACK_DEBIAN_TILETC_PACKAGE_DEPENDS "libc6, libgcc-s1")
endif()

include(CPack)
