# SPDX-License-Identifier: BSD-3-Clause

# The libraries of tinytc 0.4: libtinytc, libtinytc_cl, libtinytc_ze, and libtinytc_sycl where SYCL is found,
# shared and static. They forward to libtiletc, and programs that were linked to tinytc run with them.

include_guard(GLOBAL)

# The version that the libraries and packages of tinytc report (include/tinytc/version.h says so, too)
set(tinytc_version 0.4.0)

# tinytc_add_libraries(): the targets <library>_shared and <library>_static, also as tinytc::...
function(tinytc_add_libraries)
    set(of_all "")
    if(NOT PROJECT_IS_TOP_LEVEL AND NOT TILETC_INSTALL)
        set(of_all EXCLUDE_FROM_ALL)
    endif()
    tinytc_libraries(libraries)
    foreach(library IN LISTS libraries)
        set(runtime tiletc::tiletc)
        set(source "${PROJECT_SOURCE_DIR}/tinytc/${library}.c")
        set(map "")
        if(library STREQUAL "tinytc_sycl")
            set(runtime tiletc::sycl)
            set(source "${PROJECT_SOURCE_DIR}/tinytc/${library}.cpp")
            set(map "${PROJECT_SOURCE_DIR}/tinytc/${library}.map")
        endif()

        add_library(${library}_shared SHARED ${of_all} "${source}")
        target_link_libraries(${library}_shared PRIVATE ${runtime})
        target_link_options(${library}_shared PRIVATE
            "LINKER:-soname,lib${library}.so.0" LINKER:--no-undefined LINKER:--as-needed)
        if(map)
            target_link_options(${library}_shared PRIVATE "LINKER:--version-script=${map}")
            set_target_properties(${library}_shared PROPERTIES LINK_DEPENDS "${map}")
        endif()
        # Names and links are made by hand, because the one that linkers look for is a script.
        set_target_properties(${library}_shared PROPERTIES
            SUFFIX ".so.${tinytc_version}"
            NO_SONAME ON
            BUILD_WITH_INSTALL_RPATH ON
            INSTALL_RPATH "$ORIGIN")

        add_library(${library}_static STATIC ${of_all} "${source}")
        target_link_libraries(${library}_static INTERFACE ${runtime}_static)
        target_include_directories(${library}_static PRIVATE
            $<TARGET_PROPERTY:${runtime},INTERFACE_INCLUDE_DIRECTORIES>)
        target_compile_definitions(${library}_static PRIVATE TINYTC_STATIC_DEFINE
            $<TARGET_PROPERTY:${runtime},INTERFACE_COMPILE_DEFINITIONS>)

        foreach(linkage IN ITEMS shared static)
            set_target_properties(${library}_${linkage} PROPERTIES
                OUTPUT_NAME ${library}
                C_STANDARD 11
                CXX_STANDARD 17
                C_VISIBILITY_PRESET hidden
                POSITION_INDEPENDENT_CODE ON
                LIBRARY_OUTPUT_DIRECTORY "$<1:${tiletc_link_dir}>"
                ARCHIVE_OUTPUT_DIRECTORY "$<1:${tiletc_link_dir}>")
            add_library(tinytc::${library}_${linkage} ALIAS ${library}_${linkage})
        endforeach()

        file(CREATE_LINK "lib${library}.so.${tinytc_version}" "${tiletc_link_dir}/lib${library}.so.0"
            SYMBOLIC)
        # A program of C++ calls libtiletc itself, because the C++ layers are header-only; the line that linked
        # it to tinytc does not name libtiletc.
        file(CONFIGURE OUTPUT "${tiletc_link_dir}/lib${library}.so" CONTENT
            "/* GNU ld script */\nINPUT ( lib${library}.so.0 AS_NEEDED ( ${tiletc_soname} ) )\n")
    endforeach()
endfunction()

# tinytc_libraries(<variable>): the libraries that can be built here
function(tinytc_libraries variable)
    set(libraries tinytc tinytc_cl tinytc_ze)
    if(TARGET tiletc::sycl)
        list(APPEND libraries tinytc_sycl)
    endif()
    set(${variable} "${libraries}" PARENT_SCOPE)
endfunction()

# tinytc_install_libraries(): libraries and what pkg-config finds, after TiletcInstall has named its folders
macro(tinytc_install_libraries)
    set(pc_requires_tinytc tiletc)
    set(pc_requires_tinytc_cl tinytc)
    set(pc_libs_tinytc_cl " -lOpenCL")
    set(pc_requires_tinytc_ze tinytc)
    set(pc_libs_tinytc_ze " -lze_loader")
    # No loader: programs that call OpenCL or Level Zero themselves name theirs.
    set(pc_requires_tinytc_sycl tinytc)
    set(pc_libs_tinytc_sycl " -ltinytc_cl -ltinytc_ze -lsycl")
    tinytc_libraries(tinytc_installed)
    foreach(package IN LISTS tinytc_installed)
        install(TARGETS ${package}_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
        install(TARGETS ${package}_static
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT static)
        install(FILES "${tiletc_link_dir}/lib${package}.so.0" "${tiletc_link_dir}/lib${package}.so"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}")
        set(pc_requires "${pc_requires_${package}}")
        set(pc_libs "-l${package}${pc_libs_${package}}")
        configure_file("${PROJECT_SOURCE_DIR}/cmake/tinytc.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
        install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION "${pc_dir}")
    endforeach()
endmacro()
