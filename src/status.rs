//! Status codes: one number per kind of failure, shared by the C ABI and the tools.
//!
//! The numbers are part of the interface (API reference 2.1) and equal tinytc's; the phrases are ours.
//! This is the one place where the errors of all modules get their codes.
#![forbid(unsafe_code)]

macro_rules! statuses {
    ($($name:ident = $value:literal, $spelling:literal, $phrase:literal;)*) => {
        /// Outcome of an API call (API reference 2.1).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum Status {
            $(#[doc = $phrase] $name = $value,)*
        }

        impl Status {
            /// Every status, in ascending order of the code.
            pub const ALL: &'static [Status] = &[$(Status::$name,)*];

            /// One short English phrase.
            pub fn phrase(self) -> &'static str {
                match self { $(Status::$name => $phrase,)* }
            }

            /// The name as in the C enumerator, without the prefix `tiletc_status_`.
            pub fn spelling(self) -> &'static str {
                match self { $(Status::$name => $spelling,)* }
            }
        }
    };
}

statuses! {
    Success = 0, "success", "success";
    BadAlloc = 1, "bad_alloc", "out of memory";
    InvalidArguments = 2, "invalid_arguments", "invalid arguments";
    OutOfRange = 3, "out_of_range", "index or count out of range";
    RuntimeError = 4, "runtime_error", "runtime error";
    InternalCompilerError = 5, "internal_compiler_error", "internal compiler error (please report it)";
    UnsupportedSubgroupSize = 6, "unsupported_subgroup_size", "subgroup size not available on the device";
    UnsupportedWorkGroupSize = 7, "unsupported_work_group_size", "work-group size not available on the device";
    CompilationError = 8, "compilation_error", "compilation failed";
    FileIoError = 9, "file_io_error", "file could not be read or written";
    ParseError = 10, "parse_error", "program text was refused";
    UnavailableExtension = 11, "unavailable_extension", "a required driver extension is missing";
    UnsupportedBackend = 12, "unsupported_backend", "unsupported compute runtime";
    InvalidKernelArguments = 13, "invalid_kernel_arguments", "invalid kernel arguments";
    UnsupportedDevice = 14, "unsupported_device", "unsupported device";
    InvalidCoreInfo = 15, "invalid_core_info", "unusable device description";
    UnknownPassName = 16, "unknown_pass_name", "no pass of that name";
    NotImplemented = 17, "not_implemented", "not implemented";
    ComputeRuntimeError = 18, "compute_runtime_error", "compute runtime returned an error";
    IrOutOfBounds = 0x100, "ir_out_of_bounds", "mode, component or index number out of bounds";
    IrInvalidShape = 0x101, "ir_invalid_shape", "invalid shape";
    IrIncompatibleShapes = 0x102, "ir_incompatible_shapes", "operand shapes do not fit together";
    IrShapeStrideMismatch = 0x103, "ir_shape_stride_mismatch", "shape and stride differ in length";
    IrNumberMismatch = 0x104, "ir_number_mismatch", "number types differ";
    IrInvalidNumberOfIndices = 0x105, "ir_invalid_number_of_indices", "wrong number of indices";
    IrExpectedBoolean = 0x106, "ir_expected_boolean", "expected bool";
    IrExpectedNumber = 0x107, "ir_expected_number", "expected a number type";
    IrExpectedInt = 0x108, "ir_expected_int", "expected an integer type";
    IrExpectedFloat = 0x109, "ir_expected_float", "expected a floating-point type";
    IrExpectedComplex = 0x10a, "ir_expected_complex", "expected a complex type";
    IrExpectedI32 = 0x10b, "ir_expected_i32", "expected i32";
    IrExpectedIndex = 0x10c, "ir_expected_index", "expected index";
    IrExpectedCoopmatrix = 0x10d, "ir_expected_coopmatrix", "expected a coopmatrix";
    IrExpectedCoopmatrixOrNumber = 0x10e, "ir_expected_coopmatrix_or_number", "expected a coopmatrix or a number";
    IrExpectedCoopmatrixNumberOrBoolean = 0x10f, "ir_expected_coopmatrix_number_or_boolean", "expected a coopmatrix, a number or bool";
    IrExpectedMemref = 0x110, "ir_expected_memref", "expected a memref";
    IrExpectedMemrefOrNumber = 0x111, "ir_expected_memref_or_number", "expected a memref or a number";
    IrExpectedMemrefOrGroup = 0x112, "ir_expected_memref_or_group", "expected a memref or a group";
    IrExpectedMemrefOrder0 = 0x113, "ir_expected_memref_order_0", "expected a memref of order 0";
    IrExpectedMemrefOrder1 = 0x114, "ir_expected_memref_order_1", "expected a memref of order 1";
    IrExpectedMemrefOrder2 = 0x115, "ir_expected_memref_order_2", "expected a memref of order 2";
    IrExpectedMemrefOrder0Or1 = 0x116, "ir_expected_memref_order_0_or_1", "expected a memref of order 0 or 1";
    IrExpectedMemrefOrder1Or2 = 0x117, "ir_expected_memref_order_1_or_2", "expected a memref of order 1 or 2";
    IrExpectedMemrefOrder01Or2 = 0x118, "ir_expected_memref_order_0_1_or_2", "expected a memref of order 0, 1 or 2";
    IrUnexpectedYield = 0x119, "ir_unexpected_yield", "yield in a region that returns nothing";
    IrYieldMismatch = 0x11a, "ir_yield_mismatch", "yielded values do not match the results";
    IrSubviewMismatch = 0x11b, "ir_subview_mismatch", "wrong number of dynamic subview operands";
    IrInvalidSlice = 0x11c, "ir_invalid_slice", "negative offset or size in a slice";
    IrExpandShapeOrderTooSmall = 0x11d, "ir_expand_shape_order_too_small", "expand needs at least two sizes";
    IrExpandShapeMismatch = 0x11e, "ir_expand_shape_mismatch", "wrong number of dynamic expand operands";
    IrCollectiveCalledFromSpmd = 0x11f, "ir_collective_called_from_spmd", "collective instruction in an SPMD region";
    IrFpUnsupported = 0x120, "ir_fp_unsupported", "floating-point type not supported here";
    IrSpmdCalledFromCollective = 0x121, "ir_spmd_called_from_collective", "SPMD instruction in a collective region";
    IrExpectedLocalAddressSpace = 0x122, "ir_expected_local_address_space", "expected a memref in local memory";
    IrExpectedGlobalAddressSpace = 0x123, "ir_expected_global_address_space", "expected a memref in global memory";
    IrAddressSpaceMismatch = 0x124, "ir_address_space_mismatch", "address spaces differ";
    IrInvalidOffset = 0x125, "ir_invalid_offset", "negative group offset";
    IrIntUnsupported = 0x126, "ir_int_unsupported", "integer type not supported here";
    IrBooleanUnsupported = 0x127, "ir_boolean_unsupported", "bool not supported here";
    IrComplexUnsupported = 0x128, "ir_complex_unsupported", "complex type not supported here";
    IrCoopmatrixUnsupported = 0x129, "ir_coopmatrix_unsupported", "coopmatrix not supported here";
    IrForbiddenCast = 0x12a, "ir_forbidden_cast", "no such cast";
    IrInvalidBeta = 0x12b, "ir_invalid_beta", "beta of an atomic operation must be the constant 0 or 1";
    IrInitReturnMismatch = 0x12c, "ir_init_return_mismatch", "initial values do not match the results";
    IrInvalidMatrixUse = 0x12d, "ir_invalid_matrix_use", "wrong coopmatrix use";
    IrUnsupportedCoopmatrixShape = 0x12e, "ir_unsupported_coopmatrix_shape", "unsupported coopmatrix shape";
    IrForbiddenPromotion = 0x12f, "ir_forbidden_promotion", "number types cannot be promoted as needed";
    IrConstantMismatch = 0x130, "ir_constant_mismatch", "constant does not fit the type";
    IrInsufficientAlignment = 0x131, "ir_insufficient_alignment", "insufficient alignment";
    IrMustHaveYield = 0x132, "ir_must_have_yield", "region must end in yield";
    IrYieldInElseBranchMissing = 0x133, "ir_yield_in_else_branch_missing", "else branch must end in yield";
    IrFromToMismatch = 0x134, "ir_from_to_mismatch", "lower and upper bounds differ in number";
    IrFromTileShapeMismatch = 0x135, "ir_from_tile_shape_mismatch", "bounds and tile shape differ in number";
    IrOperandTypeMustMatchReturnType = 0x136, "ir_operand_type_must_match_return_type", "operand type must match the result type";
    IrInvalidStride = 0x137, "ir_invalid_stride", "invalid stride";
    IrInitReturnTypeMismatch = 0x138, "ir_init_return_type_mismatch", "initial values do not match the result types";
    IrValueStillHasUses = 0x139, "ir_value_still_has_uses", "value still has uses";
    IrExpectedArrayAttribute = 0x140, "ir_expected_array_attribute", "expected an array attribute";
    IrExpectedBooleanAttribute = 0x141, "ir_expected_boolean_attribute", "expected a boolean attribute";
    IrExpectedDictionaryAttribute = 0x142, "ir_expected_dictionary_attribute", "expected a dictionary attribute";
    IrExpectedIntegerAttribute = 0x143, "ir_expected_integer_attribute", "expected an integer attribute";
    IrExpectedStringAttribute = 0x144, "ir_expected_string_attribute", "expected a string attribute";
    IrDuplicateKeyInDictionary = 0x145, "ir_duplicate_key_in_dictionary", "duplicate key in dictionary";
    IrUnexpectedArrayAttributeSize = 0x146, "ir_unexpected_array_attribute_size", "array attribute of the wrong length";
    IrExpectedNonScalarMemref = 0x150, "ir_expected_non_scalar_memref", "expected a memref of order 1 or more";
    IrComplexNumberTypeUnsupported = 0x151, "ir_complex_number_type_unsupported", "complex number type not supported here";
    IrTileShape0NotMultipleOfSgs = 0x152, "ir_tile_shape0_not_multiple_of_sgs", "first tile size is not a multiple of the subgroup size";
    IrDivisionByZero = 0x153, "ir_division_by_zero", "division by zero";
    IrUnexpectedBreak = 0x154, "ir_unexpected_break", "break_if outside of the body of a loop";
    IrExpectedTile = 0x160, "ir_expected_tile", "expected a tile";
    IrTileShapeMismatch = 0x161, "ir_tile_shape_mismatch", "shapes of tiles do not fit together";
    IrTileUseMismatch = 0x162, "ir_tile_use_mismatch", "wrong use of a tile";
    IrTileTypeUnsupported = 0x163, "ir_tile_type_unsupported", "product of tiles not supported";
    IrTileUncovered = 0x164, "ir_tile_uncovered", "subgroups cannot share the tile equally";
    IrTileRowsNotMultipleOfSgs = 0x165, "ir_tile_rows_not_multiple_of_sgs", "rows of a tile are not a multiple of the subgroup size";
    IrTileUncheckedRemainder = 0x166, "ir_tile_unchecked_remainder", "unchecked loads may reach beyond the end along K";
    IrTilePipelineDependence = 0x167, "ir_tile_pipeline_dependence", "the loop cannot have stages";
    IrTileSlmExceeded = 0x168, "ir_tile_slm_exceeded", "stages exceed the local memory";
    IrTileRegistersExceeded = 0x169, "ir_tile_registers_exceeded", "tile exceeds the registers";
    IrTileFragmentShape = 0x16a, "ir_tile_fragment_shape", "fragments do not make up the share of a tile";
    IrTileSwizzleShape = 0x16b, "ir_tile_swizzle_shape", "swizzle does not fit";
    IrTileOrderGroup = 0x16c, "ir_tile_order_group", "invalid group of an order of tiles";
    IrTileSideEffect = 0x16d, "ir_tile_side_effect", "side effect in the region of a tile instruction";
    IrTileUnsupported = 0x16e, "ir_tile_unsupported", "tile not supported here";
    IrPackedShape = 0x16f, "ir_packed_shape", "numbers that share bytes need even sizes and distances";
    IrPackedReadOnly = 0x170, "ir_packed_read_only", "numbers that share bytes are only read";
    SpirvForbiddenForwardDeclaration = 0x1000, "spirv_forbidden_forward_declaration", "SPIR-V id used before it may be";
    SpirvUndefinedValue = 0x1001, "spirv_undefined_value", "value has no SPIR-V counterpart";
    SpirvMissingDopeVector = 0x1002, "spirv_missing_dope_vector", "run-time sizes of a tensor are unknown";
    SpirvUnsupportedAtomicDataType = 0x1003, "spirv_unsupported_atomic_data_type", "no atomic operations for this type";
    SpirvRequiredFeatureUnavailable = 0x1004, "spirv_required_feature_unavailable", "the device lacks a required feature";
    LaunchArgumentContract = 0x2000, "launch_argument_contract", "an argument is not what an attribute promises";
    LaunchGridMismatch = 0x2001, "launch_grid_mismatch", "a launch has fewer work-groups than it needs";
    Unknown = 0x7fffffff, "unknown", "unknown error";
}

impl Status {
    /// The status of a code, if there is one.
    pub fn from_code(code: i32) -> Option<Status> {
        Self::ALL.iter().copied().find(|status| status.code() == code)
    }

    /// The number that crosses the C ABI and ends the tools' `Error (N): …` line.
    pub fn code(self) -> i32 {
        self as i32
    }
}
