# SPDX-License-Identifier: BSD-3-Clause
"""Recipe for Spack; `spack repo create` makes the repository whose folder `packages/tiletc` it goes to.

The project names no host. Until there is one, build from a checkout:
    spack dev-build --source-path CHECKOUT tiletc@0.2.0
"""

from spack.package import *


class Tiletc(CMakePackage):
    """A tensor compiler and runtime for Intel GPUs, compatible with the language and the interface of tinytc."""

    license("BSD-3-Clause")

    version("0.2.0")

    variant("opencl", default=True, description="Targets for programs that use OpenCL")
    variant("level_zero", default=False, description="Targets for programs that use Level Zero")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja@1.10:", type="build")
    depends_on("rust@1.90:", type="build")
    depends_on("opencl-icd-loader", when="+opencl")
    depends_on("oneapi-level-zero", when="+level_zero")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("TILETC_CARGO_TARGET_DIR", join_path(self.build_directory, "cargo")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_SYCLRuntime", True),
        ]
        for variant, package in (("opencl", "OpenCL"), ("level_zero", "LevelZero")):
            if not self.spec.satisfies("+" + variant):
                args.append(self.define("CMAKE_DISABLE_FIND_PACKAGE_" + package, True))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        tiletc = Executable(self.prefix.bin.tiletc)
        tiletc("--version")
        tiletc("info")
