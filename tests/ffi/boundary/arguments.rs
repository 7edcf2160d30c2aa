//! Good and bad arguments for a type of the headers.

use libloading::{Library, Symbol};
use std::ffi::c_void;
use tiletc::ffi::types::{tiletc_recipe_handler_callbacks, tiletc_status_t};

/// Kind of argument that a type of the headers takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A handle of ours.
    Handle,
    /// A handle of OpenCL or Level Zero.
    Foreign,
    /// An enumerator.
    Enumerator,
    /// The length of an array.
    Size,
    /// Any number.
    Number,
    /// A place that is written or read.
    Pointer,
    /// Parameter that only NULL can stand for here.
    Null,
}

impl Kind {
    pub fn of(ty: &str) -> Kind {
        const NUMBERS: [&str; 10] = [
            "int64_t",
            "int32_t",
            "uint64_t",
            "uint32_t",
            "uint16_t",
            "cl_uint",
            "tiletc_bool_t",
            "tiletc_address_spaces_t",
            "tiletc_core_feature_flags_t",
            "tiletc_status_t",
        ];
        let plain = ty.strip_prefix("const_").unwrap_or(ty);
        match plain {
            "char *" | "tiletc_bench_launch_t" | "tiletc_error_reporter_t" | "tiletc_log_callback_t" => {
                Kind::Null
            }
            ty if ty.starts_with("cl_") && ty != "cl_uint" || ty.starts_with("ze_") => Kind::Foreign,
            ty if ty.ends_with('*') => Kind::Pointer,
            "size_t" => Kind::Size,
            ty if NUMBERS.contains(&ty) => Kind::Number,
            ty if Fixture::HANDLES.iter().any(|(name, _)| *name == ty) => Kind::Handle,
            ty if ty.starts_with("tiletc_") => Kind::Enumerator,
            ty => panic!("what is a {ty}?"),
        }
    }

    pub fn good_value(self, fixture: &Fixture<'_>, ty: &str) -> usize {
        match self {
            Kind::Foreign | Kind::Null => 0,
            Kind::Size => 1,
            Kind::Number => 4,
            // Every enumeration but two has a 1.
            Kind::Enumerator => match ty {
                "tiletc_intel_gpu_architecture_t" => 0x030f_0000,
                "tiletc_memory_semantics_t" | "tiletc_optflag_t" => 0,
                _ => 1,
            },
            Kind::Handle => fixture.handle(ty.strip_prefix("const_").unwrap_or(ty)),
            Kind::Pointer => fixture.pointer(ty),
        }
    }

    pub fn bad_values(self, fixture: &Fixture<'_>, ty: &str) -> Vec<usize> {
        let extreme =
            [0, 1, usize::MAX, i32::MIN as usize, i32::MAX as usize, i64::MIN as usize, i64::MAX as usize];
        match self {
            Kind::Null | Kind::Foreign => vec![0],
            Kind::Pointer => vec![0],
            Kind::Size => vec![0, usize::MAX],
            Kind::Number => extreme.to_vec(),
            Kind::Enumerator => vec![usize::MAX, 0x7fff_fffe, 12345],
            Kind::Handle => {
                let own = ty.strip_prefix("const_").unwrap_or(ty);
                let others = Fixture::HANDLES.iter().filter(|(name, _)| *name != own);
                let others = others.map(|(name, _)| fixture.handle(name));
                // Misaligned, and one of each other kind.
                [0, 1].into_iter().chain(others).collect()
            }
        }
    }

    /// Returns whether such an argument may not be taken.
    pub fn is_refused(self, bad: usize) -> bool {
        match self {
            Kind::Pointer | Kind::Foreign => bad < 2,
            Kind::Handle | Kind::Enumerator => true,
            Kind::Size | Kind::Number | Kind::Null => false,
        }
    }
}

/// Good handles. A call may take what it is given, so that there are new ones for every call.
pub struct Fixture<'a> {
    library: &'a Library,
    context: usize,
    number: usize,
    binary: usize,
    module: usize,
    info: usize,
    recipe: usize,
}

type Retain = unsafe extern "C" fn(usize) -> i32;

impl<'a> Fixture<'a> {
    /// The handle types, and how one more reference is had if they are counted.
    pub const HANDLES: [(&'static str, Option<&'static str>); 13] = [
        ("tiletc_compiler_context_t", Some("tiletc_compiler_context_retain")),
        ("tiletc_prog_t", Some("tiletc_prog_retain")),
        ("tiletc_spv_mod_t", Some("tiletc_spv_mod_retain")),
        ("tiletc_binary_t", Some("tiletc_binary_retain")),
        ("tiletc_core_info_t", Some("tiletc_core_info_retain")),
        ("tiletc_recipe_t", Some("tiletc_recipe_retain")),
        ("tiletc_recipe_handler_t", None),
        ("tiletc_type_t", None),
        ("tiletc_attr_t", None),
        ("tiletc_value_t", None),
        ("tiletc_inst_t", None),
        ("tiletc_region_t", None),
        ("tiletc_func_t", None),
    ];

    pub fn new(library: &'a Library) -> Self {
        let mut fixture =
            Fixture { library, context: 0, number: 0, binary: 0, module: 0, info: 0, recipe: 0 };
        fixture.context = fixture.make("tiletc_compiler_context_create", &[]);
        fixture.number = fixture.make("tiletc_f32_type_get", &[fixture.context]);
        fixture.info = fixture.make("tiletc_core_info_intel_create_from_name", &[c"pvc".as_ptr() as usize]);
        let program = fixture.handle("tiletc_prog_t");
        fixture.module = fixture.make("tiletc_prog_compile_to_spirv", &[program, fixture.info]);
        fixture.binary = fixture.make("tiletc_spirv_assemble", &[fixture.module]);
        let sizes = [fixture.info, fixture.number, 0, 0, 4, 4, 4, 4, 16, 4, 16, 4, 16];
        fixture.recipe = fixture.make("tiletc_recipe_small_gemm_batched_create", &sizes);
        fixture
    }

    /// Makes the object that a function gives through its first parameter.
    fn make(&self, name: &str, arguments: &[usize]) -> usize {
        let mut out: usize = 0;
        let mut all = vec![&raw mut out as usize];
        all.extend(arguments);
        let parameters = vec![String::new(); all.len()];
        let function =
            super::Function { name: name.to_owned(), returned: "tiletc_status_t".to_owned(), parameters };
        assert_eq!(function.call(self.library, &all), Some(tiletc::status::Status::Success), "{name}");
        out
    }

    /// A good handle, of which the caller may give up a reference.
    pub fn handle(&self, ty: &str) -> usize {
        let handle = match ty {
            "tiletc_compiler_context_t" => self.context,
            "tiletc_prog_t" => self.program(),
            "tiletc_spv_mod_t" => self.module,
            "tiletc_binary_t" => self.binary,
            "tiletc_core_info_t" => self.info,
            "tiletc_recipe_t" => self.recipe,
            "tiletc_recipe_handler_t" => self.recipe_handler(),
            "tiletc_type_t" => self.number,
            "tiletc_attr_t" => self.make("tiletc_dictionary_attr_get", &[self.context, 0, 0]),
            "tiletc_value_t" => self.first("tiletc_region_get_parameters", self.body(self.function())),
            "tiletc_inst_t" => self.make("tiletc_constant_inst_create_zero", &[self.number, 0]),
            "tiletc_region_t" => self.body(self.function()),
            "tiletc_func_t" => self.function(),
            ty => panic!("what is a {ty}?"),
        };
        if let Some((_, Some(retain))) = Self::HANDLES.iter().find(|(name, _)| *name == ty) {
            let retain: Symbol<'_, Retain> = unsafe { self.library.get(retain.as_bytes()) }.unwrap();
            assert_eq!(unsafe { retain(handle) }, 0);
        }
        handle
    }

    fn function(&self) -> usize {
        let void = self.make("tiletc_void_type_get", &[self.context]);
        let types = leak([self.number; 1]);
        self.make("tiletc_func_create", &[1, c"f".as_ptr() as usize, 1, types, void, 0])
    }

    fn body(&self, function: usize) -> usize {
        let mut out = 0_usize;
        let get: Symbol<'_, unsafe extern "C" fn(usize, *mut usize) -> i32> =
            unsafe { self.library.get(b"tiletc_func_get_body") }.unwrap();
        assert_eq!(unsafe { get(function, &raw mut out) }, 0);
        out
    }

    /// The first of a list.
    fn first(&self, name: &str, of: usize) -> usize {
        let (mut size, mut item) = (1_usize, 0_usize);
        let get: Symbol<'_, unsafe extern "C" fn(usize, *mut usize, *mut usize) -> i32> =
            unsafe { self.library.get(name.as_bytes()) }.unwrap();
        assert_eq!(unsafe { get(of, &raw mut size, &raw mut item) }, 0);
        item
    }

    fn program(&self) -> usize {
        let program = self.make("tiletc_prog_create", &[self.context, 0]);
        let add: Symbol<'_, unsafe extern "C" fn(usize, usize) -> i32> =
            unsafe { self.library.get(b"tiletc_prog_add_function") }.unwrap();
        assert_eq!(unsafe { add(program, self.function()) }, 0);
        program
    }

    fn recipe_handler(&self) -> usize {
        let callbacks = leak([tiletc_recipe_handler_callbacks {
            runtime: c"none".as_ptr(),
            select_kernel: Some(select_kernel),
            set_value: Some(set_value),
            set_memory: Some(set_memory),
            set_groups: Some(set_groups),
            destroy: Some(destroy),
        }]);
        self.make("tiletc_recipe_handler_create_with_callbacks", &[self.recipe, callbacks, 0])
    }

    /// A good pointer: an array of four good things, or room for a result.
    fn pointer(&self, ty: &str) -> usize {
        match ty {
            "const char *" | "char const *" => c"f".as_ptr() as usize,
            "const tiletc_type_t *" => leak([self.number; 4]),
            "const tiletc_value_t *" => leak([self.handle("tiletc_value_t"); 4]),
            "const tiletc_attr_t *" => leak([self.handle("tiletc_attr_t"); 4]),
            "const tiletc_named_attr_t *" | "tiletc_named_attr_t *" => {
                let name = self.make("tiletc_string_attr_get", &[self.context, 1, c"f".as_ptr() as usize]);
                leak([name, self.handle("tiletc_attr_t"), 0, 0])
            }
            "const int64_t *" => leak([1_i64; 4]),
            "const int32_t *" => leak([16_i32; 4]),
            "const size_t *" | "size_t *" => leak([1_usize; 4]),
            "tiletc_inst_iterator_t *" => {
                let region = self.body(self.function());
                let append: Symbol<'_, unsafe extern "C" fn(usize, usize) -> i32> =
                    unsafe { self.library.get(b"tiletc_region_append") }.unwrap();
                let inst = self.handle("tiletc_inst_t");
                assert_eq!(unsafe { append(region, inst) }, 0);
                leak([inst])
            }
            "const tiletc_recipe_handler_callbacks_t *" => leak([0_usize; 8]),
            _ => leak([0_u64; 64]),
        }
    }
}

/// The address of something that stays.
fn leak<T>(value: T) -> usize {
    &raw const *Box::leak(Box::new(value)) as usize
}

unsafe extern "C" fn select_kernel(_: *mut c_void, _: usize) -> tiletc_status_t {
    0
}

unsafe extern "C" fn set_value(_: *mut c_void, _: u32, _: usize, _: *const c_void) -> tiletc_status_t {
    0
}

unsafe extern "C" fn set_memory(_: *mut c_void, _: u32, _: i32, _: *const c_void) -> tiletc_status_t {
    0
}

unsafe extern "C" fn set_groups(_: *mut c_void, _: i64) -> tiletc_status_t {
    0
}

unsafe extern "C" fn destroy(_: *mut c_void) {}
