//! Layouts that matrices have at a launch, and functions that are compiled for them (tile reference 2.6.3).

use super::{Compilation, Error, Options};
use crate::device::CoreInfo;
use crate::diagnostics::Sources;
use crate::ir::{ExtentArgument, Func, Ir, MatrixArguments, Program, Surface, UnitStride};

/// Layout of a matrix whose strides the text leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The mode along which elements are contiguous.
    pub unit_stride: UnitStride,
    /// True if 2D block messages take the matrix.
    pub is_surface: bool,
}

impl Layout {
    /// The layout that arguments give a matrix: `number` is what is known of an argument, an address or a 64-bit number.
    /// `None` if the matrix is contiguous along no mode, or its rows or columns overlap.
    pub fn of(matrix: &MatrixArguments, number: impl Fn(usize) -> Option<i64>) -> Option<Layout> {
        let unit_stride = [UnitStride(0), UnitStride(1)].into_iter().find(|&unit| {
            let [size, _, along, pitch] = extents(matrix, unit, &number);
            along == Some(1) && size.zip(pitch).is_some_and(|(size, pitch)| pitch >= size)
        })?;
        let is_surface = check_surface(matrix, unit_stride, number).is_ok();
        Some(Layout { unit_stride, is_surface })
    }
}

/// Size along a mode and across it, stride along the mode and across it.
fn extents(
    matrix: &MatrixArguments,
    UnitStride(unit): UnitStride,
    number: impl Fn(usize) -> Option<i64>,
) -> [Option<i64>; 4] {
    let value = |extent| match extent {
        ExtentArgument::Known(value) => Some(value),
        ExtentArgument::Argument(place) => number(place),
    };
    let ([mut rows, mut cols], [mut down, mut right]) = (matrix.shape, matrix.stride);
    if unit == 1 {
        (rows, cols, down, right) = (cols, rows, right, down);
    }
    [rows, cols, down, right].map(value)
}

/// Compares the arguments of a matrix with what 2D block messages demand (lowering reference 4.4).
///
/// # Errors
/// What they do not take, in words.
pub fn check_surface(
    matrix: &MatrixArguments,
    unit: UnitStride,
    number: impl Fn(usize) -> Option<i64>,
) -> Result<(), String> {
    let address = number(0).ok_or("nobody knows where a buffer lies")?;
    let [Some(width), Some(height), Some(along), Some(pitch)] = extents(matrix, unit, number) else {
        return Err("a size or stride is not known".to_owned());
    };
    let bytes = |elements: i64| elements.saturating_mul(matrix.element.bytes());
    let surface = Surface { width: bytes(width), height, pitch: bytes(pitch) };
    if !Surface::takes_element(matrix.element) || along != 1 {
        return Err(format!("elements are of {}, {along} apart", matrix.element));
    }
    if address % Surface::MIN_BYTES != 0 {
        return Err(format!("the address {address:#x} is no multiple of {} bytes", Surface::MIN_BYTES));
    }
    if !surface.is_legal() {
        let Surface { width, height, pitch } = surface;
        return Err(format!("it has {height} rows of {width} bytes, {pitch} bytes apart"));
    }
    Ok(())
}

/// Tells a function the layouts of its parameters, in order, for the passes to rely on.
pub fn specialize(ir: &mut Ir, func: Func, layouts: &[Option<Layout>]) {
    for (place, layout) in layouts.iter().enumerate() {
        let Some(Layout { unit_stride, is_surface }) = layout else { continue };
        let Some(attributes) = ir[func].parameter_attributes.get_mut(place) else { continue };
        attributes.unit_stride = Some(*unit_stride);
        if *is_surface {
            attributes.surface = Some(true);
        }
    }
}

/// A kernel of a program that is compiled for layouts, in an arena of its own.
pub struct Specialized {
    ir: Ir,
    program: Program,
}

impl Specialized {
    /// Parses a program that has been printed, and keeps the kernel of a name for layouts of its parameters.
    ///
    /// # Errors
    /// As for [`parse`](super::parse).
    pub fn parse(text: &str, kernel: &str, layouts: &[Option<Layout>]) -> Result<Specialized, Error> {
        let mut ir = Ir::default();
        let name = format!("variant of {kernel}");
        let source = Sources::new().add(&name, text.as_bytes());
        ir.name_source(source, name);
        let mut program = super::parse(&mut ir, source, text.as_bytes())?;
        program.functions.retain(|&func| ir[func].name == kernel);
        program.functions.iter().for_each(|&func| specialize(&mut ir, func, layouts));
        Ok(Specialized { ir, program })
    }

    /// The kernel with all that decides what it is compiled to.
    pub fn compilation<'a>(&'a mut self, info: &'a CoreInfo, options: &'a Options) -> Compilation<'a> {
        Compilation::new(&mut self.ir, &self.program, info, options)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ir::Scalar;

    const OPEN: MatrixArguments = MatrixArguments {
        element: Scalar::F32,
        shape: [ExtentArgument::Argument(1), ExtentArgument::Argument(2)],
        stride: [ExtentArgument::Argument(3), ExtentArgument::Argument(4)],
    };

    fn layout(matrix: &MatrixArguments, arguments: [i64; 5]) -> Option<(i32, bool)> {
        let layout = Layout::of(matrix, |place| arguments.get(place).copied());
        layout.map(|Layout { unit_stride: UnitStride(mode), is_surface }| (mode, is_surface))
    }

    #[test]
    fn layouts_follow_from_addresses_sizes_and_strides() {
        for (arguments, expected) in [
            ([0x1000, 32, 8, 1, 32], Some((0, true))),
            ([0x1000, 8, 32, 32, 1], Some((1, true))),
            // A misaligned base, too narrow, an odd pitch, a pitch out of range, no columns.
            ([0x1010, 32, 8, 1, 32], Some((0, false))),
            ([0x1000, 8, 32, 1, 32], Some((0, false))),
            ([0x1000, 32, 8, 1, 33], Some((0, false))),
            ([0x1000, 32, 8, 1, 1 << 23], Some((0, false))),
            ([0x1000, 32, 0, 1, 32], Some((0, false))),
            // Contiguous along no mode; columns that overlap, and a row that is read again and again.
            ([0x1000, 32, 8, 2, 64], None),
            ([0x1000, 32, 8, 1, 31], None),
            ([0x1000, 32, 8, 1, 0], None),
            // A column may be read as either.
            ([0x1000, 1, 32, 1, 1], Some((0, false))),
        ] {
            assert_eq!(layout(&OPEN, arguments), expected, "{arguments:?}");
        }
        let f64s = MatrixArguments { element: Scalar::F64, ..OPEN };
        assert_eq!(layout(&f64s, [0x1000, 32, 8, 1, 32]), Some((0, false)));
        let stride = [ExtentArgument::Argument(3), ExtentArgument::Known(64)];
        assert_eq!(layout(&MatrixArguments { stride, ..OPEN }, [0x1000, 32, 8, 1, 0]), Some((0, true)));
        assert_eq!(Layout::of(&OPEN, |_| None), None);
    }

    #[test]
    fn what_messages_do_not_take_is_said() {
        let arguments = [0x1010, 32, 8, 1, 33];
        let said = |unit, known: usize| {
            check_surface(&OPEN, unit, |place| arguments.get(place).copied().filter(|_| place < known))
        };
        assert_eq!(said(UnitStride(0), 5).unwrap_err(), "the address 0x1010 is no multiple of 64 bytes");
        assert_eq!(said(UnitStride(1), 5).unwrap_err(), "elements are of f32, 33 apart");
        assert_eq!(said(UnitStride(0), 4).unwrap_err(), "a size or stride is not known");
        assert_eq!(said(UnitStride(0), 0).unwrap_err(), "nobody knows where a buffer lies");
    }
}
