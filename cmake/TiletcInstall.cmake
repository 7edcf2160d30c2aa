# SPDX-License-Identifier: BSD-3-Clause

# What `cmake --install` puts where: libraries, headers, tools, examples, the manual, and the packages
# that CMake and pkg-config find. Nothing of it knows the prefix, which may be moved. What debuggers need is the component
# `debug`, static libraries are the component `static`, all else is the component `tiletc`.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tiletc)

# What is installed of cargo's output is prepared when it is: only then it is certain to be there.
set(staged "${PROJECT_BINARY_DIR}/staged")
configure_file("${PROJECT_SOURCE_DIR}/cmake/stage.cmake.in" "${PROJECT_BINARY_DIR}/stage.cmake" @ONLY)
install(SCRIPT "${PROJECT_BINARY_DIR}/stage.cmake" ALL_COMPONENTS)

# Libraries, under the names that linkers and loaders look for.
install(PROGRAMS "${staged}/libtiletc.so.${PROJECT_VERSION}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${tiletc_link_dir}/${tiletc_soname}" "${tiletc_link_dir}/libtiletc.so"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${staged}/libtiletc.a" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT static OPTIONAL)
install(FILES "${staged}/libtiletc.so.${PROJECT_VERSION}.debug" DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT debug OPTIONAL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tiletc" "${PROJECT_SOURCE_DIR}/include/tinytc"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# Tools, also under the names of tinytc's, whose viewers of devices are tiletc's, too.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
foreach(tool IN ITEMS tiletc tiletc-opt)
    install(PROGRAMS "${staged}/${tool}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
foreach(names IN ITEMS tinytc=tiletc tinytc-opt=tiletc-opt tinytc-cl-info=tiletc tinytc-ze-info=tiletc)
    string(REPLACE "=" ";" names "${names}")
    list(GET names 0 link)
    list(GET names 1 tool)
    file(CREATE_LINK "${tool}" "${PROJECT_BINARY_DIR}/bin/${link}" SYMBOLIC)
    install(FILES "${PROJECT_BINARY_DIR}/bin/${link}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()

# Manual pages, and completions where shells look for them
install(DIRECTORY "${staged}/share/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
foreach(place IN ITEMS bash-completion/completions fish/vendor_completions.d zsh/site-functions)
    install(DIRECTORY "${staged}/share/${place}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/${place}")
endforeach()

# The GPU in software, in the place of Level Zero's loader for the programs that its script runs
set(virtual_gpu "${CMAKE_INSTALL_LIBDIR}/tiletc/virtual-gpu")
file(RELATIVE_PATH virtual_gpu_dir "${CMAKE_INSTALL_FULL_BINDIR}"
    "${CMAKE_INSTALL_FULL_LIBDIR}/tiletc/virtual-gpu")
configure_file("${PROJECT_SOURCE_DIR}/packaging/tiletc-virtual-gpu.in"
    "${PROJECT_BINARY_DIR}/tiletc-virtual-gpu" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/tiletc-virtual-gpu" DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${staged}/libze_loader.so.1" DESTINATION "${virtual_gpu}")

# What tuning has found for the kernels of the recipes, which programs may load
install(FILES "${PROJECT_SOURCE_DIR}/tuning/recipes.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/tiletc/tuning")

# Examples, as a project that builds against the installation; licences and manual.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp-examples/"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/tiletc/examples")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/packaging/THIRD-PARTY-NOTICES.txt"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/src/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/manual")

# The package tiletc
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tiletc")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tiletcConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/tiletcConfig.cmake"
    INSTALL_DESTINATION "${package_dir}"
    PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# Before 1.0 the interface may change with the minor version.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tiletcConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/tiletcConfig.cmake"
    "${PROJECT_BINARY_DIR}/tiletcConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/TiletcTargets.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/TiletcKernels.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/TinytcTargets.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindLevelZero.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindSYCLRuntime.cmake"
    DESTINATION "${package_dir}")

# The packages of tinytc
foreach(package IN ITEMS tinytc tinytc_cl tinytc_ze tinytc_sycl)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/tinytcConfig.cmake.in"
        "${PROJECT_BINARY_DIR}/${package}Config.cmake" @ONLY)
    write_basic_package_version_file("${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake"
        VERSION "${tinytc_version}" COMPATIBILITY SameMajorVersion)
    install(FILES
        "${PROJECT_BINARY_DIR}/${package}Config.cmake"
        "${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/${package}")
endforeach()

# pkg-config. Folders are named as they lie to each other, unless the user named absolute ones.
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
    set(pc_${folder} "${CMAKE_INSTALL_${folder}}")
    if(NOT IS_ABSOLUTE "${pc_${folder}}")
        set(pc_${folder} "\${prefix}/${pc_${folder}}")
    endif()
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/tiletc.pc.in" "${PROJECT_BINARY_DIR}/tiletc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tiletc.pc" DESTINATION "${pc_dir}")

tinytc_install_libraries()
