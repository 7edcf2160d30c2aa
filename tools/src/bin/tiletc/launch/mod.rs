//! Kernels with arguments on a device, for all commands that run some: a program is read and its parameters are bound
//! ([`Call`]), memory is placed ([`Arguments`]), the driver builds ([`Call::build`]), and the kernel runs as often as wanted
//! ([`Prepared::run`]).

mod budget;
mod call;
mod device;
mod layout;
mod npy;
mod parameter;
mod placed;
mod prepared;
mod tensor;
mod value;

pub use call::{Call, CallOptions};
pub use device::{DeviceName, Opened, failed, twin};
pub use layout::Layout;
pub use npy::{bits_of, read as read_npy, write as write_npy};
pub use parameter::{Argument, Bound, invalid};
pub use placed::{Allocation, Arguments, Elements};
pub use prepared::{Prepared, build_cached};
pub use tensor::{Number, Tensor, shown as shown_shape};
