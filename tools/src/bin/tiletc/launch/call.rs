//! A kernel of a program, and what its parameters are given.

use super::parameter::{self, Argument, Bound, invalid};
use super::value::Given;
use crate::common::{Common, Failure, Session};
use clap::{ArgAction, Args};
use std::str::FromStr;
use tiletc::device::CoreInfo;
use tiletc::ir::Func;

/// The kernel to run and its arguments.
#[derive(Clone, Debug, Args)]
pub struct CallOptions {
    /// Kernel to run; may be left out if there is only one
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Work-groups in each direction, 1 where none is given; without this option as many as the program tells
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub groups: Option<Groups>,
    /// Value of a parameter; without NAME, of the next one. Values are listed below
    #[arg(long = "arg", value_name = "[NAME=]VALUE", action = ArgAction::Append, allow_hyphen_values = true)]
    pub arguments: Vec<Given>,
}

/// Work-groups in each direction.
#[derive(Clone, Copy, Debug)]
pub struct Groups(pub [u32; 3]);

impl FromStr for Groups {
    type Err = String;

    fn from_str(text: &str) -> Result<Groups, String> {
        let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x]) => Ok(Groups([x, 1, 1])),
            Some(&[x, y]) => Ok(Groups([x, y, 1])),
            Some(&[x, y, z]) => Ok(Groups([x, y, z])),
            _ => Err("work-groups are one to three numbers with commas between them".to_owned()),
        }
    }
}

/// A kernel of a program, whose parameters are bound. Nothing is compiled yet.
pub struct Call {
    /// The program.
    pub session: Session,
    /// The kernel.
    pub function: Func,
    /// The work-groups that are asked for.
    pub groups: Option<[u64; 3]>,
    /// The parameters with what they are given.
    pub bound: Vec<Bound>,
}

impl Call {
    /// Reads a program for a device, chooses the kernel and binds its parameters.
    pub fn open(common: &Common, info: CoreInfo, options: &CallOptions) -> Result<Call, Failure> {
        let mut call = Call::choose(common, info, options)?;
        call.bound = call.bind(options)?;
        Ok(call)
    }

    /// Binds the parameters.
    pub fn bind(&self, options: &CallOptions) -> Result<Vec<Bound>, Failure> {
        parameter::bind(parameter::parameters(&self.session.ir, self.function), &options.arguments)
    }

    /// The same but for the parameters, none of which is bound: it takes long to make up numbers for large ones.
    pub fn choose(common: &Common, info: CoreInfo, options: &CallOptions) -> Result<Call, Failure> {
        let mut session = Session::open(common, common.adjust(info))?;
        // Names make reports readable and change nothing else.
        session.options.keep_names = true;
        let function = kernel(&session, options.kernel.as_deref())?;
        let groups = options.groups.map(|Groups(groups)| groups.map(u64::from));
        Ok(Call { session, function, groups, bound: Vec::new() })
    }

    /// Names of the parameters through which the kernel may write.
    pub fn written(&self) -> Vec<String> {
        let ir = &self.session.ir;
        let values = &ir[ir[self.function].body].parameters;
        let parameters = parameter::parameters(ir, self.function).into_iter().zip(values);
        parameters.filter(|(_, value)| ir.is_written(**value)).map(|(parameter, _)| parameter.name).collect()
    }

    /// The kernel's name.
    pub fn name(&self) -> String {
        self.session.ir[self.function].name.clone()
    }

    /// The argument of a parameter.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.bound.iter().find(|bound| bound.parameter.name == name).map(|bound| &bound.argument)
    }
}

/// The kernel of the name, or the only one.
fn kernel(session: &Session, name: Option<&str>) -> Result<Func, Failure> {
    let functions = &session.program.functions;
    let names = || {
        functions.iter().map(|&function| session.ir[function].name.as_str()).collect::<Vec<_>>().join(", ")
    };
    match (name, functions.as_slice()) {
        (_, []) => Err(invalid("the program has no kernels".to_owned())),
        (None, [only]) => Ok(*only),
        (None, _) => {
            Err(Failure::usage(format!("say with --kernel which kernel to run; there are {}", names())))
        }
        (Some(name), _) => {
            let found = functions.iter().find(|&&function| session.ir[function].name == name);
            found.copied().ok_or_else(|| invalid(format!("there is no kernel {name}; there are {}", names())))
        }
    }
}
