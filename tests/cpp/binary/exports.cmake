# SPDX-License-Identifier: BSD-3-Clause

# The library LIBRARY exports what STUB does, and forwards to nothing but libtiletc. STUB is made of the names in
# the API specification.

cmake_policy(VERSION 3.22)

# exports(<variable> <library>)
function(exports variable library)
    execute_process(COMMAND "${NM}" -D --defined-only "${library}" OUTPUT_VARIABLE text
        COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+\n" names "${text}")
    string(REPLACE "\n" "" names "${names}")
    # A version is a symbol, too.
    list(FILTER names INCLUDE REGEX "tinytc")
    list(SORT names)
    set(${variable} "${names}" PARENT_SCOPE)
endfunction()

exports(ours "${LIBRARY}")
exports(expected "${STUB}")
list(FILTER expected EXCLUDE REGEX "^_ZN6tinytc8internal|^_ZN6tinytc13shared_handle|^_ZNK6tinytc")
list(LENGTH ours number)
if(NOT ours STREQUAL expected OR NOT number EQUAL NUMBER)
    message(FATAL_ERROR "${number} names, not ${NUMBER}: ${ours}\nexpected: ${expected}")
endif()

execute_process(COMMAND "${READELF}" -d "${LIBRARY}" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(name "${LIBRARY}" NAME_WE)
if(NOT dynamic MATCHES "soname: \\[${name}\\.so\\.0\\]" OR NOT dynamic MATCHES "NEEDED[^\n]*\\[${SONAME}\\]"
        OR NOT dynamic MATCHES "R(UN)?PATH[^\n]*\\[.ORIGIN\\]")
    message(FATAL_ERROR "${name} is called otherwise, or does not look for ${SONAME} beside it:\n${dynamic}")
endif()
message("${number} names")
