// SPDX-License-Identifier: BSD-3-Clause

#include <tinytc/tinytc_cl.hpp>

#include <cstdio>
#include <vector>

#if CL_TARGET_OPENCL_VERSION < 120
#error "The target does not say which OpenCL is wanted"
#endif

int main() {
    cl_uint num_platforms = 0;
    clGetPlatformIDs(0, nullptr, &num_platforms);
    std::vector<cl_platform_id> platforms(num_platforms);
    clGetPlatformIDs(num_platforms, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
        cl_uint num_devices = 0;
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &num_devices);
        std::vector<cl_device_id> devices(num_devices);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, num_devices, devices.data(), nullptr);
        for (cl_device_id device : devices) {
            std::puts(to_string(tinytc::get_support_level(device)));
        }
    }
    try {
        tinytc::get_support_level(cl_device_id{});
    } catch (tinytc::status const &st) {
        auto level = tinytc_support_level_none;
        return st == tinytc::status::invalid_arguments &&
                       tinytc_cl_get_support_level(nullptr, &level) == static_cast<int>(st)
                   ? 0
                   : 1;
    }
    return 1;
}
