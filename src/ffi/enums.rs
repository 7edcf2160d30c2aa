//! The enumerations of the C ABI as data (API reference 2.1, 2.2).
//!
//! Each enumeration is declared once: here, or in the module that gives it a meaning. The C `enum`s, the
//! C++ `enum class`es, their counts and `…_to_string` are all made from these tables.

use crate::device::{Architecture, CoreFeatures, SpirvFeature};
use crate::status::Status;
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::LazyLock;

/// One C enumeration.
#[derive(Debug)]
pub struct Enumeration {
    /// Name without prefix and suffix, e.g. `comp3`.
    pub name: &'static str,
    /// Phrase that it stands for.
    pub doc: &'static str,
    /// The enumerators in their order.
    pub cases: Vec<Case>,
}

/// One enumerator.
#[derive(Debug)]
pub struct Case {
    /// Name without prefix, e.g. `x`.
    pub name: &'static str,
    /// The number that crosses the ABI.
    pub value: c_int,
    /// Result of `…_to_string`.
    pub text: CString,
    /// Meaning, one phrase; empty if the name says it.
    pub doc: &'static str,
}

impl Case {
    fn new(name: &'static str, value: c_int, text: &str, doc: &'static str) -> Self {
        // No text of the tables holds a NUL, and if one did an empty text would harm nobody.
        Case { name, value, text: CString::new(text).unwrap_or_default(), doc }
    }

    fn named(name: &'static str, value: c_int) -> Self {
        Case::new(name, value, name, "")
    }
}

impl Enumeration {
    /// Returns whether `value` is an enumerator.
    pub fn contains(&self, value: c_int) -> bool {
        self.case(value).is_some()
    }

    /// The text of an enumerator, `unknown` for any other number.
    pub fn text(&self, value: c_int) -> &CStr {
        self.case(value).map_or(c"unknown", |case| &case.text)
    }

    /// The static text of an enumerator as C sees it.
    pub fn c_text(&'static self, value: c_int) -> *const c_char {
        self.text(value).as_ptr()
    }

    fn case(&self, value: c_int) -> Option<&Case> {
        self.cases.iter().find(|case| case.value == value)
    }
}

/// Declares tables whose enumerators are said here: `name = value, ["text" if not the name,] "doc"`.
macro_rules! enumerations {
    ($($table:ident $name:literal $doc:literal {
        $($case:literal $(as $text:literal)? = $value:literal, $case_doc:literal;)*
    })*) => {
        $(
            #[doc = $doc]
            pub static $table: LazyLock<Enumeration> = LazyLock::new(|| Enumeration {
                name: $name,
                doc: $doc,
                cases: vec![
                    $(Case::new($case, $value, [$($text,)? $case].first().unwrap_or(&$case), $case_doc),)*
                ],
            });
        )*
    };
}

enumerations! {
    COMP3 "comp3" "Component of a three-dimensional id" {
        "x" = 0, "first component";
        "y" = 1, "second component";
        "z" = 2, "third component";
    }
    REDUCE_MODE "reduce_mode" "Direction of a coopmatrix reduction" {
        "row" = 0, "reduce over the rows";
        "column" = 1, "reduce over the columns";
    }
    TRANSPOSE "transpose" "Transposition of a matrix" {
        "N" as "n" = 0, "not transposed";
        "T" as "t" = 1, "transposed";
    }
    ADDRESS_SPACE "address_space" "Memory of a memref; also bits of a fence" {
        "global" = 1, "global memory";
        "local" = 2, "shared local memory";
    }
    CHECKED_FLAG "checked_flag" "Bounds checks of coopmatrix loads and stores" {
        "none" = 0, "no checks";
        "rows" = 1, "check the rows";
        "cols" = 2, "check the columns";
        "both" = 3, "check rows and columns";
    }
    MEMORY_SCOPE "memory_scope" "Scope of an atomic operation" {
        "cross_device" = 0, "all devices";
        "device" = 1, "the device";
        "work_group" = 2, "the work-group";
        "subgroup" = 3, "the subgroup";
    }
    MEMORY_SEMANTICS "memory_semantics" "Ordering of an atomic operation" {
        "relaxed" = 0, "no ordering";
        "acquire" = 2, "acquire";
        "release" = 4, "release";
        "acquire_release" = 8, "acquire and release";
        "sequentially_consistent" = 16, "one total order";
    }
    MATRIX_USE "matrix_use" "Role of a coopmatrix" {
        "a" as "matrix_a" = 0, "left factor";
        "b" as "matrix_b" = 1, "right factor";
        "acc" as "matrix_acc" = 2, "accumulator";
    }
    BOUNDARY "boundary" "Value of what a tile load finds outside of the memref" {
        "zero" = 0, "0, or another number that the load names";
        "wrap" = 1, "the element at the coordinates modulo the sizes";
        "unchecked" = 2, "undefined; there must be nothing outside";
        "undefined" = 3, "undefined, whatever is there; the mode is not empty";
    }
    TILE_ORDER "tile_order" "Order in which work-groups take the tiles of a matrix" {
        "linear_n" = 0, "row after row";
        "linear_m" = 1, "column after column";
        "grouped" = 2, "column after column within groups of rows";
        "panel_m" = 3, "the same, every other group backwards";
        "panel_n" = 4, "the same for groups of columns";
        "morton" = 5, "along a z-curve within blocks";
        "hilbert" = 6, "along a Hilbert curve within blocks";
        "diagonal" = 7, "row after row, each begun one column later";
        "any" = 8, "what the function's attribute says, or else column after column within groups of rows";
    }
    BUNDLE_FORMAT "bundle_format" "Format of a binary" {
        "spirv" = 0, "SPIR-V words";
        "native" = 1, "device binary";
    }
    OPTFLAG "optflag" "Optimisation flags" {
        "unsafe_fp_math" = 0, "rewrites that ignore NaN, infinity and signed zero";
        "tf32" = 8192, "rounding of the factors of products from f32 to tf32 in functions that name no precision";
    }
    MEM_TYPE "mem_type" "Kind of a memory argument" {
        "buffer" = 0, "buffer object";
        "usm_pointer" = 1, "unified shared memory";
        "svm_pointer" = 2, "shared virtual memory";
    }
    ARG_KIND "arg_kind" "Kind of an argument of a kernel" {
        "bytes" = 0, "object of which only the size is known";
        "integer" = 1, "integer";
        "floating" = 2, "floating-point number";
        "complex" = 3, "complex number";
        "buffer" = 4, "buffer object";
        "usm_pointer" = 5, "unified shared memory";
        "svm_pointer" = 6, "shared virtual memory";
        "typed_usm_pointer" = 7, "unified shared memory of which is known what it holds";
        "foreign_pointer" = 8, "address that is no unified shared memory of the kernel's context";
    }
    LAUNCH_OP "launch_op" "Operation of a step of the plan of a launch" {
        "number" = 0, "pushes the step's value";
        "argument" = 1, "pushes the address or integer of the argument of that number";
        "add" = 2, "replaces a and b, which is on top, by a + b";
        "sub" = 3, "by a - b";
        "mul" = 4, "by a * b";
        "div" = 5, "by a / b, rounded toward zero";
        "cdiv" = 6, "by a / b, rounded up";
        "min" = 7, "by the smaller one";
        "max" = 8, "by the larger one";
        "multiple_of" = 9, "pops what has to be a multiple of the value, both without a sign";
        "is" = 10, "pops what has to be the value";
        "groups" = 11, "pops the number of work-groups along x (0), y (1) or z (2); a negative one is 0";
        "ask" = 12, "says that no plan can tell";
    }
    CL_OBJECT "cl_object" "Kind of an OpenCL object" {
        "context" = 0, "cl_context";
        "device" = 1, "cl_device_id";
        "program" = 2, "cl_program";
        "kernel" = 3, "cl_kernel";
        "event" = 4, "cl_event";
    }
    LOG_LEVEL "log_level" "Weight of a message of the log" {
        "off" = 0, "no messages";
        "error" = 1, "what has failed";
        "warn" = 2, "what may not be meant";
        "info" = 3, "steps, with times and sizes";
        "debug" = 4, "every pass and decision";
    }
    SUPPORT_LEVEL "support_level" "Degree to which a device is supported" {
        "none" = 0, "not supported";
        "basic" = 1, "supported";
        "tuned" = 2, "supported and tuned for";
    }
}

/// Outcome of a call
pub static STATUS: LazyLock<Enumeration> = LazyLock::new(|| Enumeration {
    name: "status",
    doc: "Outcome of a call",
    cases: (Status::ALL.iter())
        .map(|status| Case::new(status.spelling(), status.code(), status.phrase(), status.phrase()))
        .collect(),
});

/// Features that the SPIR-V consumer of a device supports; the compiler's own features are not part of the ABI.
pub static SPIRV_FEATURE: LazyLock<Enumeration> = LazyLock::new(|| Enumeration {
    name: "spirv_feature",
    doc: "Features that the SPIR-V consumer of a device supports",
    cases: (SpirvFeature::ALL.iter().take(SpirvFeature::STANDARD_COUNT))
        .map(|feature| Case::named(feature.spelling(), feature.code()))
        .collect(),
});

/// Intel GPU architectures, by IP version; others are known by name only, so that the ABI stays.
pub static INTEL_GPU_ARCHITECTURE: LazyLock<Enumeration> = LazyLock::new(|| Enumeration {
    name: "intel_gpu_architecture",
    doc: "Intel GPU architectures, by IP version",
    cases: [Architecture::Tgl, Architecture::Pvc, Architecture::Bmg]
        .map(|architecture| Case::named(architecture.spelling(), architecture.ip_version().cast_signed()))
        .into(),
});

/// Requested device options, usable as bits
pub static CORE_FEATURE_FLAG: LazyLock<Enumeration> = LazyLock::new(|| Enumeration {
    name: "core_feature_flag",
    doc: "Requested device options, usable as bits",
    cases: vec![Case::named("large_register_file", CoreFeatures::LARGE_REGISTER_FILE.bits().cast_signed())],
});

/// Every enumeration, in the order of the C header.
pub fn all() -> [&'static Enumeration; 22] {
    [
        &STATUS,
        &COMP3,
        &REDUCE_MODE,
        &TRANSPOSE,
        &ADDRESS_SPACE,
        &CHECKED_FLAG,
        &MEMORY_SCOPE,
        &MEMORY_SEMANTICS,
        &MATRIX_USE,
        &BOUNDARY,
        &TILE_ORDER,
        &SPIRV_FEATURE,
        &CORE_FEATURE_FLAG,
        &INTEL_GPU_ARCHITECTURE,
        &BUNDLE_FORMAT,
        &OPTFLAG,
        &MEM_TYPE,
        &ARG_KIND,
        &LAUNCH_OP,
        &CL_OBJECT,
        &LOG_LEVEL,
        &SUPPORT_LEVEL,
    ]
}
