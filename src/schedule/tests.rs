//! Schedules of whole functions.

use super::*;
use crate::diagnostics::SourceId;
use crate::ir::Scalar;
