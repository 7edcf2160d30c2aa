//! The OpenCL functions tiletc calls, looked up in the installed loader.

use std::sync::OnceLock;

use libloading::Library;
use opencl_sys::cl_function_types::*;
use opencl_sys::*;

use crate::runtime::error::Error;
use crate::runtime::library;

#[cfg(not(windows))]
const LIBRARIES: &[&str] = &["libOpenCL.so.1", "libOpenCL.so"];
#[cfg(windows)]
const LIBRARIES: &[&str] = &["OpenCL.dll"];

macro_rules! functions {
    ($($name:ident: $ty:ident,)*) => {
        /// Function pointers; `None` for what the loader lacks.
        #[allow(non_snake_case)]
        pub(super) struct Api {
            $(pub(super) $name: $ty,)*
            /// Keeps the pointers valid.
            _library: Library,
        }

        impl Api {
            fn load(library: Library) -> Api {
                Api {
                    // SAFETY: the type is that of the OpenCL function of the name.
                    $($name: unsafe { library.get::<$ty>(stringify!($name)) }.ok().and_then(|symbol| *symbol),)*
                    _library: library,
                }
            }
        }
    };
}

functions! {
    clGetPlatformIDs: clGetPlatformIDs_t,
    clGetPlatformInfo: clGetPlatformInfo_t,
    clGetDeviceIDs: clGetDeviceIDs_t,
    clGetDeviceInfo: clGetDeviceInfo_t,
    clCreateContext: clCreateContext_t,
    clRetainContext: clRetainContext_t,
    clReleaseContext: clReleaseContext_t,
    clRetainDevice: clRetainDevice_t,
    clReleaseDevice: clReleaseDevice_t,
    clCreateCommandQueueWithProperties: clCreateCommandQueueWithProperties_t,
    clReleaseCommandQueue: clReleaseCommandQueue_t,
    clCreateBuffer: clCreateBuffer_t,
    clReleaseMemObject: clReleaseMemObject_t,
    clEnqueueReadBuffer: clEnqueueReadBuffer_t,
    clCreateProgramWithIL: clCreateProgramWithIL_t,
    clCreateProgramWithBinary: clCreateProgramWithBinary_t,
    clBuildProgram: clBuildProgram_t,
    clGetProgramInfo: clGetProgramInfo_t,
    clGetProgramBuildInfo: clGetProgramBuildInfo_t,
    clRetainProgram: clRetainProgram_t,
    clReleaseProgram: clReleaseProgram_t,
    clCreateKernel: clCreateKernel_t,
    clCreateKernelsInProgram: clCreateKernelsInProgram_t,
    clGetKernelInfo: clGetKernelInfo_t,
    clGetKernelWorkGroupInfo: clGetKernelWorkGroupInfo_t,
    clSetKernelArg: clSetKernelArg_t,
    clSetKernelArgSVMPointer: clSetKernelArgSVMPointer_t,
    clSetKernelExecInfo: clSetKernelExecInfo_t,
    clRetainKernel: clRetainKernel_t,
    clReleaseKernel: clReleaseKernel_t,
    clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_t,
    clEnqueueMarkerWithWaitList: clEnqueueMarkerWithWaitList_t,
    clFlush: clFlush_t,
    clWaitForEvents: clWaitForEvents_t,
    clGetEventProfilingInfo: clGetEventProfilingInfo_t,
    clRetainEvent: clRetainEvent_t,
    clReleaseEvent: clReleaseEvent_t,
    clGetExtensionFunctionAddressForPlatform: clGetExtensionFunctionAddressForPlatform_t,
}

impl Api {
    /// The functions of the installed loader, which is looked for until it is found.
    pub(super) fn get() -> Result<&'static Api, Error> {
        static API: OnceLock<Api> = OnceLock::new();
        if let Some(api) = API.get() {
            return Ok(api);
        }
        let library = library::open("OpenCL", LIBRARIES)?;
        Ok(API.get_or_init(|| Api::load(library)))
    }
}

/// Calls a function that returns a code; its error if it is missing or fails. To be used in `unsafe`.
macro_rules! call {
    ($api:expr, $name:ident($($argument:expr),* $(,)?)) => {
        match $api.$name {
            Some(function) => $crate::runtime::opencl::api::check(stringify!($name), function($($argument),*)),
            None => Err($crate::runtime::Error::FunctionMissing { function: stringify!($name) }),
        }
    };
}
pub(super) use call;

/// Calls a function that returns an object and a code through its last parameter; an error also if the object
/// is null. To be used in `unsafe`.
macro_rules! create {
    ($api:expr, $name:ident($($argument:expr),* $(,)?)) => {
        match $api.$name {
            Some(function) => {
                let mut code = opencl_sys::CL_SUCCESS;
                let object = function($($argument,)* &mut code);
                $crate::runtime::opencl::api::check(stringify!($name), code)
                    .and_then(|()| $crate::runtime::answer::object(stringify!($name), object))
            }
            None => Err($crate::runtime::Error::FunctionMissing { function: stringify!($name) }),
        }
    };
}
pub(super) use create;

/// The function of an extension; `None` if the device's platform lacks it. To be used in `unsafe`, with the type of the function of the name.
macro_rules! extension_function {
    ($device:expr, $name:literal, $ty:ty) => {
        std::mem::transmute::<*mut std::ffi::c_void, $ty>($device.extension_function($name)?)
    };
}
pub(super) use extension_function;

/// Turns a return code into a result.
pub(super) fn check(function: &'static str, code: cl_int) -> Result<(), Error> {
    if code == CL_SUCCESS { Ok(()) } else { Err(Error::Call { function, code, name: code_name(code) }) }
}

fn code_name(code: cl_int) -> Option<&'static str> {
    macro_rules! names {
        ($($name:ident)*) => {
            match code { $($name => Some(stringify!($name)),)* _ => None }
        };
    }
    names! {
        CL_DEVICE_NOT_FOUND CL_DEVICE_NOT_AVAILABLE CL_COMPILER_NOT_AVAILABLE CL_MEM_OBJECT_ALLOCATION_FAILURE
        CL_OUT_OF_RESOURCES CL_OUT_OF_HOST_MEMORY CL_BUILD_PROGRAM_FAILURE CL_COMPILE_PROGRAM_FAILURE
        CL_LINK_PROGRAM_FAILURE
        CL_INVALID_VALUE CL_INVALID_DEVICE_TYPE CL_INVALID_PLATFORM CL_INVALID_DEVICE CL_INVALID_CONTEXT
        CL_INVALID_QUEUE_PROPERTIES CL_INVALID_COMMAND_QUEUE CL_INVALID_BINARY CL_INVALID_BUILD_OPTIONS
        CL_INVALID_PROGRAM CL_INVALID_PROGRAM_EXECUTABLE CL_INVALID_KERNEL_NAME CL_INVALID_KERNEL_DEFINITION
        CL_INVALID_KERNEL CL_INVALID_ARG_INDEX CL_INVALID_ARG_VALUE CL_INVALID_ARG_SIZE CL_INVALID_KERNEL_ARGS
        CL_INVALID_WORK_DIMENSION CL_INVALID_WORK_GROUP_SIZE CL_INVALID_WORK_ITEM_SIZE
        CL_INVALID_GLOBAL_OFFSET CL_INVALID_EVENT_WAIT_LIST CL_INVALID_EVENT CL_INVALID_OPERATION
        CL_INVALID_BUFFER_SIZE CL_INVALID_GLOBAL_WORK_SIZE CL_INVALID_PROPERTY CL_INVALID_COMPILER_OPTIONS
        CL_INVALID_LINKER_OPTIONS CL_INVALID_HOST_PTR CL_INVALID_MEM_OBJECT CL_PLATFORM_NOT_FOUND_KHR
    }
}
