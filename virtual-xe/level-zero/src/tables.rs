//! Exports of the library for Level Zero: one list, by table, in the order of each table.
//!
//! A loader asks for tables of functions, of the version that it knows, and gets those that this version has: an
//! entry that a later one appended lies behind the end of an older loader's table. The numbers are the minor
//! versions of Level Zero that brought the entries. What has `!` is not there: it refuses, as
//! `ZE_RESULT_ERROR_UNSUPPORTED_FEATURE`, and has a name all the same, for programs that are linked to a loader.
//!
//! Facts about order and versions are those of the specification's headers, `ze_ddi.h` and the like.

use crate::abi::Out;
use crate::status::{Outcome, enter, require};
use level_zero_sys::*;
use std::ffi::c_void;

use crate::context::*;
use crate::device::*;
use crate::driver::*;
use crate::event::*;
use crate::event_pool::*;
use crate::fence::*;
use crate::kernel::*;
use crate::kernel_info::*;
use crate::launch::*;
use crate::list::*;
use crate::list_commands::*;
use crate::memory::*;
use crate::module_api::*;
use crate::mutable::*;
use crate::queue::*;

/// The version that is there, without its minor number.
const MAJOR: u32 = 1;

/// A function of any kind.
type Function = *const c_void;

/// Gives a loader the functions that its version of a table has.
fn fill(version: ze_api_version_t, table: Out<Function>, entries: &[(u32, Function)]) -> Outcome {
    require(!table.is_null(), ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
    require(version >> 16 == MAJOR, ZE_RESULT_ERROR_UNSUPPORTED_VERSION)?;
    // A later entry never stands before one that is earlier.
    let known = entries.iter().take_while(|(since, _)| *since <= version & 0xffff);
    let places = table.slice(known.clone().count())?;
    for (place, (_, function)) in places.iter_mut().zip(known) {
        *place = *function;
    }
    Ok(())
}

macro_rules! tables {
    (@absent ! $name:ident) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> ze_result_t {
            enter(|| crate::status::refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE))
        }
    };
    (@absent $name:ident) => {};
    (@name ! $name:ident) => { $name };
    (@name $name:ident) => { $name };
    ($($getter:ident { $($since:literal [$($entry:tt)+]),* $(,)? })*) => {
        $($(tables!(@absent $($entry)+);)*)*
        $(
            #[unsafe(no_mangle)]
            pub extern "C" fn $getter(version: ze_api_version_t, table: Out<Function>) -> ze_result_t {
                enter(|| fill(version, table, &[$(($since, tables!(@name $($entry)+) as Function)),*]))
            }
        )*
    };
}

tables! {
    zeGetGlobalProcAddrTable {
        0 [zeInit],
        10 [zeInitDrivers],
    }
    zeGetDriverProcAddrTable {
        0 [zeDriverGet],
        0 [zeDriverGetApiVersion],
        0 [zeDriverGetProperties],
        0 [zeDriverGetIpcProperties],
        0 [zeDriverGetExtensionProperties],
        1 [zeDriverGetExtensionFunctionAddress],
        6 [zeDriverGetLastErrorDescription],
        13 [!zeDriverRTASFormatCompatibilityCheckExt],
        14 [zeDriverGetDefaultContext],
    }
    zeGetDriverExpProcAddrTable {
        7 [!zeDriverRTASFormatCompatibilityCheckExp],
    }
    zeGetDeviceProcAddrTable {
        0 [zeDeviceGet],
        0 [zeDeviceGetSubDevices],
        0 [zeDeviceGetProperties],
        0 [zeDeviceGetComputeProperties],
        0 [zeDeviceGetModuleProperties],
        0 [zeDeviceGetCommandQueueGroupProperties],
        0 [zeDeviceGetMemoryProperties],
        0 [zeDeviceGetMemoryAccessProperties],
        0 [zeDeviceGetCacheProperties],
        0 [zeDeviceGetImageProperties],
        0 [zeDeviceGetExternalMemoryProperties],
        0 [zeDeviceGetP2PProperties],
        0 [zeDeviceCanAccessPeer],
        0 [zeDeviceGetStatus],
        1 [zeDeviceGetGlobalTimestamps],
        2 [zeDeviceReserveCacheExt],
        2 [zeDeviceSetCacheAdviceExt],
        3 [zeDevicePciGetPropertiesExt],
        7 [zeDeviceGetRootDevice],
        12 [!zeDeviceImportExternalSemaphoreExt],
        12 [!zeDeviceReleaseExternalSemaphoreExt],
        13 [!zeDeviceGetVectorWidthPropertiesExt],
        14 [zeDeviceSynchronize],
    }
    zeGetDeviceExpProcAddrTable {
        4 [!zeDeviceGetFabricVertexExp],
    }
    zeGetContextProcAddrTable {
        0 [zeContextCreate],
        0 [zeContextDestroy],
        0 [zeContextGetStatus],
        0 [zeContextSystemBarrier],
        0 [zeContextMakeMemoryResident],
        0 [zeContextEvictMemory],
        0 [zeContextMakeImageResident],
        0 [zeContextEvictImage],
        1 [zeContextCreateEx],
    }
    zeGetCommandQueueProcAddrTable {
        0 [zeCommandQueueCreate],
        0 [zeCommandQueueDestroy],
        0 [zeCommandQueueExecuteCommandLists],
        0 [zeCommandQueueSynchronize],
        9 [zeCommandQueueGetOrdinal],
        9 [zeCommandQueueGetIndex],
    }
    zeGetCommandListProcAddrTable {
        0 [zeCommandListCreate],
        0 [zeCommandListCreateImmediate],
        0 [zeCommandListDestroy],
        0 [zeCommandListClose],
        0 [zeCommandListReset],
        0 [zeCommandListAppendWriteGlobalTimestamp],
        0 [zeCommandListAppendBarrier],
        0 [zeCommandListAppendMemoryRangesBarrier],
        0 [zeCommandListAppendMemoryCopy],
        0 [zeCommandListAppendMemoryFill],
        0 [zeCommandListAppendMemoryCopyRegion],
        0 [zeCommandListAppendMemoryCopyFromContext],
        0 [!zeCommandListAppendImageCopy],
        0 [!zeCommandListAppendImageCopyRegion],
        0 [!zeCommandListAppendImageCopyToMemory],
        0 [!zeCommandListAppendImageCopyFromMemory],
        0 [zeCommandListAppendMemoryPrefetch],
        0 [zeCommandListAppendMemAdvise],
        0 [zeCommandListAppendSignalEvent],
        0 [zeCommandListAppendWaitOnEvents],
        0 [zeCommandListAppendEventReset],
        0 [zeCommandListAppendQueryKernelTimestamps],
        0 [zeCommandListAppendLaunchKernel],
        0 [zeCommandListAppendLaunchCooperativeKernel],
        0 [zeCommandListAppendLaunchKernelIndirect],
        0 [zeCommandListAppendLaunchMultipleKernelsIndirect],
        3 [!zeCommandListAppendImageCopyToMemoryExt],
        3 [!zeCommandListAppendImageCopyFromMemoryExt],
        7 [zeCommandListHostSynchronize],
        9 [zeCommandListGetDeviceHandle],
        9 [zeCommandListGetContextHandle],
        9 [zeCommandListGetOrdinal],
        9 [zeCommandListImmediateGetIndex],
        9 [zeCommandListIsImmediate],
        12 [!zeCommandListAppendSignalExternalSemaphoreExt],
        12 [!zeCommandListAppendWaitExternalSemaphoreExt],
        14 [zeCommandListAppendLaunchKernelWithParameters],
        14 [zeCommandListAppendLaunchKernelWithArguments],
    }
    zeGetCommandListExpProcAddrTable {
        9 [!zeCommandListCreateCloneExp],
        9 [zeCommandListImmediateAppendCommandListsExp],
        9 [zeCommandListGetNextCommandIdExp],
        9 [zeCommandListUpdateMutableCommandsExp],
        9 [zeCommandListUpdateMutableCommandSignalEventExp],
        9 [zeCommandListUpdateMutableCommandWaitEventsExp],
        10 [zeCommandListGetNextCommandIdWithKernelsExp],
        10 [zeCommandListUpdateMutableCommandKernelsExp],
    }
    zeGetImageProcAddrTable {
        0 [!zeImageGetProperties],
        0 [!zeImageCreate],
        0 [!zeImageDestroy],
        3 [!zeImageGetAllocPropertiesExt],
        5 [!zeImageViewCreateExt],
    }
    zeGetImageExpProcAddrTable {
        2 [!zeImageGetMemoryPropertiesExp],
        2 [!zeImageViewCreateExp],
        9 [!zeImageGetDeviceOffsetExp],
    }
    zeGetFenceProcAddrTable {
        0 [zeFenceCreate],
        0 [zeFenceDestroy],
        0 [zeFenceHostSynchronize],
        0 [zeFenceQueryStatus],
        0 [zeFenceReset],
    }
    zeGetEventPoolProcAddrTable {
        0 [zeEventPoolCreate],
        0 [zeEventPoolDestroy],
        0 [!zeEventPoolGetIpcHandle],
        0 [!zeEventPoolOpenIpcHandle],
        0 [!zeEventPoolCloseIpcHandle],
        6 [!zeEventPoolPutIpcHandle],
        9 [zeEventPoolGetContextHandle],
        9 [zeEventPoolGetFlags],
    }
    zeGetEventProcAddrTable {
        0 [zeEventCreate],
        0 [zeEventDestroy],
        0 [zeEventHostSignal],
        0 [zeEventHostSynchronize],
        0 [zeEventQueryStatus],
        0 [zeEventHostReset],
        0 [zeEventQueryKernelTimestamp],
        6 [zeEventQueryKernelTimestampsExt],
        9 [zeEventGetEventPool],
        9 [zeEventGetSignalScope],
        9 [zeEventGetWaitScope],
    }
    zeGetEventExpProcAddrTable {
        2 [zeEventQueryTimestampsExp],
    }
    zeGetModuleProcAddrTable {
        0 [zeModuleCreate],
        0 [zeModuleDestroy],
        0 [zeModuleDynamicLink],
        0 [zeModuleGetNativeBinary],
        0 [zeModuleGetGlobalPointer],
        0 [zeModuleGetKernelNames],
        0 [zeModuleGetProperties],
        0 [zeModuleGetFunctionPointer],
        3 [zeModuleInspectLinkageExt],
    }
    zeGetModuleBuildLogProcAddrTable {
        0 [zeModuleBuildLogDestroy],
        0 [zeModuleBuildLogGetString],
    }
    zeGetKernelProcAddrTable {
        0 [zeKernelCreate],
        0 [zeKernelDestroy],
        0 [zeKernelSetCacheConfig],
        0 [zeKernelSetGroupSize],
        0 [zeKernelSuggestGroupSize],
        0 [zeKernelSuggestMaxCooperativeGroupCount],
        0 [zeKernelSetArgumentValue],
        0 [zeKernelSetIndirectAccess],
        0 [zeKernelGetIndirectAccess],
        0 [zeKernelGetSourceAttributes],
        0 [zeKernelGetProperties],
        0 [zeKernelGetName],
    }
    zeGetKernelExpProcAddrTable {
        1 [zeKernelSetGlobalOffsetExp],
        2 [zeKernelSchedulingHintExp],
        11 [!zeKernelGetBinaryExp],
        14 [!zeKernelGetAllocationPropertiesExp],
    }
    zeGetSamplerProcAddrTable {
        0 [!zeSamplerCreate],
        0 [!zeSamplerDestroy],
    }
    zeGetPhysicalMemProcAddrTable {
        0 [!zePhysicalMemCreate],
        0 [!zePhysicalMemDestroy],
    }
    zeGetMemProcAddrTable {
        0 [zeMemAllocShared],
        0 [zeMemAllocDevice],
        0 [zeMemAllocHost],
        0 [zeMemFree],
        0 [zeMemGetAllocProperties],
        0 [zeMemGetAddressRange],
        0 [!zeMemGetIpcHandle],
        0 [!zeMemOpenIpcHandle],
        0 [!zeMemCloseIpcHandle],
        3 [zeMemFreeExt],
        6 [!zeMemPutIpcHandle],
        9 [!zeMemGetPitchFor2dImage],
    }
    zeGetMemExpProcAddrTable {
        6 [!zeMemGetIpcHandleFromFileDescriptorExp],
        6 [!zeMemGetFileDescriptorFromIpcHandleExp],
        7 [!zeMemSetAtomicAccessAttributeExp],
        7 [!zeMemGetAtomicAccessAttributeExp],
    }
    zeGetVirtualMemProcAddrTable {
        0 [!zeVirtualMemReserve],
        0 [!zeVirtualMemFree],
        0 [!zeVirtualMemQueryPageSize],
        0 [!zeVirtualMemMap],
        0 [!zeVirtualMemUnmap],
        0 [!zeVirtualMemSetAccessAttribute],
        0 [!zeVirtualMemGetAccessAttribute],
    }
    zeGetFabricVertexExpProcAddrTable {
        4 [!zeFabricVertexGetExp],
        4 [!zeFabricVertexGetSubVerticesExp],
        4 [!zeFabricVertexGetPropertiesExp],
        4 [!zeFabricVertexGetDeviceExp],
    }
    zeGetFabricEdgeExpProcAddrTable {
        4 [!zeFabricEdgeGetExp],
        4 [!zeFabricEdgeGetVerticesExp],
        4 [!zeFabricEdgeGetPropertiesExp],
    }
    zeGetRTASBuilderExpProcAddrTable {
        7 [!zeRTASBuilderCreateExp],
        7 [!zeRTASBuilderGetBuildPropertiesExp],
        7 [!zeRTASBuilderBuildExp],
        7 [!zeRTASBuilderDestroyExp],
    }
    zeGetRTASParallelOperationExpProcAddrTable {
        7 [!zeRTASParallelOperationCreateExp],
        7 [!zeRTASParallelOperationGetPropertiesExp],
        7 [!zeRTASParallelOperationJoinExp],
        7 [!zeRTASParallelOperationDestroyExp],
    }
    zeGetRTASBuilderProcAddrTable {
        13 [!zeRTASBuilderCreateExt],
        13 [!zeRTASBuilderGetBuildPropertiesExt],
        13 [!zeRTASBuilderBuildExt],
        13 [!zeRTASBuilderCommandListAppendCopyExt],
        13 [!zeRTASBuilderDestroyExt],
    }
    zeGetRTASParallelOperationProcAddrTable {
        13 [!zeRTASParallelOperationCreateExt],
        13 [!zeRTASParallelOperationGetPropertiesExt],
        13 [!zeRTASParallelOperationJoinExt],
        13 [!zeRTASParallelOperationDestroyExt],
    }
    zerGetGlobalProcAddrTable {
        14 [zerGetLastErrorDescription],
        14 [zerTranslateDeviceHandleToIdentifier],
        14 [zerTranslateIdentifierToDeviceHandle],
        14 [zerGetDefaultContext],
    }
    zesGetDeviceExpProcAddrTable {}
    zesGetDeviceProcAddrTable {}
    zesGetDiagnosticsProcAddrTable {}
    zesGetDriverExpProcAddrTable {}
    zesGetDriverProcAddrTable {}
    zesGetEngineProcAddrTable {}
    zesGetFabricPortProcAddrTable {}
    zesGetFanProcAddrTable {}
    zesGetFirmwareExpProcAddrTable {}
    zesGetFirmwareProcAddrTable {}
    zesGetFrequencyProcAddrTable {}
    zesGetGlobalProcAddrTable {}
    zesGetLedProcAddrTable {}
    zesGetMemoryProcAddrTable {}
    zesGetOverclockProcAddrTable {}
    zesGetPerformanceFactorProcAddrTable {}
    zesGetPowerProcAddrTable {}
    zesGetPsuProcAddrTable {}
    zesGetRasExpProcAddrTable {}
    zesGetRasProcAddrTable {}
    zesGetSchedulerProcAddrTable {}
    zesGetStandbyProcAddrTable {}
    zesGetTemperatureProcAddrTable {}
    zesGetVFManagementExpProcAddrTable {}
    zetGetCommandListExpProcAddrTable {}
    zetGetCommandListProcAddrTable {}
    zetGetContextProcAddrTable {}
    zetGetDebugProcAddrTable {}
    zetGetDeviceExpProcAddrTable {}
    zetGetDeviceProcAddrTable {}
    zetGetKernelProcAddrTable {}
    zetGetMetricDecoderExpProcAddrTable {}
    zetGetMetricExpProcAddrTable {}
    zetGetMetricGroupExpProcAddrTable {}
    zetGetMetricGroupProcAddrTable {}
    zetGetMetricProcAddrTable {}
    zetGetMetricProgrammableExpProcAddrTable {}
    zetGetMetricQueryPoolProcAddrTable {}
    zetGetMetricQueryProcAddrTable {}
    zetGetMetricStreamerProcAddrTable {}
    zetGetMetricTracerExpProcAddrTable {}
    zetGetModuleProcAddrTable {}
    zetGetTracerExpProcAddrTable {}
    zelGetTracerApiProcAddrTable {}
}
