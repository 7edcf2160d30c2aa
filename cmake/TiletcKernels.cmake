# SPDX-License-Identifier: BSD-3-Clause

# Kernels as a part of a program's build. The global property TILETC_TOOL names the tool `tiletc`.

include_guard(GLOBAL)

# tiletc_add_kernels(TARGET <target> FILES <file>... [DEVICES <device>...] [DEFINES <name>=<value>...]
#     [NAMESPACE <name>] [EMBED text|spirv|native] [HEADER <file>] [REPORT <file>] [OPTIONS <option>...])
#
# Checks the kernels of the files when the target is built, for all devices that are given, and anew when a file or tiletc
# changes. Writes a header with a function for each kernel in the namespace, by default `kernels`, which the target
# includes as HEADER, by default `<namespace>.hpp` with `_` for `::`. It embeds the text, and with devices also what
# EMBED says: SPIR-V for each, or native binaries by Intel's offline compiler. REPORT is a file for how each kernel runs
# on each device, OPTIONS are further options of `tiletc embed`. Links the target to tiletc::sycl, or where it links
# tiletc::sycl_static already, to nothing else.
function(tiletc_add_kernels)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;NAMESPACE;EMBED;HEADER;REPORT" "FILES;DEVICES;DEFINES;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "tiletc_add_kernels: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    foreach(needed IN ITEMS TARGET FILES)
        if(NOT arg_${needed})
            message(FATAL_ERROR "tiletc_add_kernels: ${needed} is missing")
        endif()
    endforeach()
    if(NOT TARGET "${arg_TARGET}")
        message(FATAL_ERROR "tiletc_add_kernels: there is no target ${arg_TARGET}")
    endif()
    get_target_property(aliased "${arg_TARGET}" ALIASED_TARGET)
    if(aliased)
        message(FATAL_ERROR "tiletc_add_kernels: ${arg_TARGET} is another name of ${aliased}, which is what to name")
    endif()
    get_target_property(type "${arg_TARGET}" TYPE)
    if(type STREQUAL INTERFACE_LIBRARY)
        message(FATAL_ERROR "tiletc_add_kernels: ${arg_TARGET} is an interface library, which compiles no sources; "
            "name a target that includes the header")
    endif()
    if(NOT TARGET tiletc::sycl AND NOT TARGET tiletc::sycl_static)
        tiletc_reason(reason sycl)
        message(FATAL_ERROR "tiletc_add_kernels: ${reason}")
    endif()
    get_property(tool GLOBAL PROPERTY TILETC_TOOL)
    if(NOT EXISTS "${tool}" AND NOT TARGET tiletc_cargo)
        message(FATAL_ERROR "tiletc_add_kernels: the tool tiletc is not installed (${tool})")
    endif()
    if(NOT arg_NAMESPACE)
        set(arg_NAMESPACE kernels)
    endif()
    if(NOT arg_HEADER)
        string(REPLACE "::" "_" arg_HEADER "${arg_NAMESPACE}.hpp")
    endif()

    set(options --namespace "${arg_NAMESPACE}")
    foreach(device IN LISTS arg_DEVICES)
        list(APPEND options -d "${device}")
    endforeach()
    foreach(definition IN LISTS arg_DEFINES)
        list(APPEND options -D "${definition}")
    endforeach()
    if(arg_EMBED)
        list(APPEND options --embed "${arg_EMBED}")
    endif()
    set(outputs "")
    if(arg_REPORT)
        cmake_path(ABSOLUTE_PATH arg_REPORT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
        list(APPEND options --report "${arg_REPORT}")
        list(APPEND outputs "${arg_REPORT}")
    endif()
    set(files "")
    foreach(file IN LISTS arg_FILES)
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        list(APPEND files "${file}")
    endforeach()

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/tiletc_kernels/${arg_TARGET}")
    set(header "${folder}/${arg_HEADER}")
    get_target_property(headers "${arg_TARGET}" TILETC_KERNEL_HEADERS)
    if("${arg_HEADER}" IN_LIST headers)
        message(FATAL_ERROR "tiletc_add_kernels: ${arg_TARGET} has a header ${arg_HEADER} already; "
            "give each call a NAMESPACE or a HEADER of its own")
    endif()
    set_property(TARGET "${arg_TARGET}" APPEND PROPERTY TILETC_KERNEL_HEADERS "${arg_HEADER}")
    get_filename_component(header_folder "${header}" DIRECTORY)
    file(MAKE_DIRECTORY "${header_folder}")
    add_custom_command(OUTPUT "${header}" ${outputs}
        COMMAND "${tool}" embed ${options} ${arg_OPTIONS} -o "${header}" ${files}
        DEPENDS ${files} "${tool}"
        COMMENT "Embedding kernels in ${arg_HEADER}"
        VERBATIM)
    target_sources("${arg_TARGET}" PRIVATE "${header}")
    target_include_directories("${arg_TARGET}" PRIVATE "${folder}")
    get_target_property(linked "${arg_TARGET}" LINK_LIBRARIES)
    if(NOT "tiletc::sycl_static" IN_LIST linked)
        # Properties, since a target takes either signature of target_link_libraries, but not both.
        set_property(TARGET "${arg_TARGET}" APPEND PROPERTY LINK_LIBRARIES tiletc::sycl)
        if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
            set_property(TARGET "${arg_TARGET}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                "$<LINK_ONLY:tiletc::sycl>")
        endif()
    endif()
endfunction()
