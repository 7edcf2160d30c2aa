//! Tensors as parameters of a kernel, in every form in which the language lets one pass them.

use tiletc::ir::Scalar;

use super::launch::Arg;
use super::number::{Array, Number, width};

/// Form in which a kernel is told of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Sizes known, packed.
    Static,
    /// Sizes and strides known, the first stride not 1, gaps between columns.
    Strided,
    /// Sizes known at run time, packed.
    Dynamic,
    /// Sizes and strides known at run time, the first stride not 1.
    DynamicStrided,
    /// Sizes known at run time, with what they, the strides and the address are multiples of.
    Gcd,
    /// Member of a group, behind an offset known at run time.
    Group,
    /// A view of a view of a larger tensor.
    View,
}

pub const FORMS: [Form; 7] =
    [Form::Static, Form::Dynamic, Form::Strided, Form::Group, Form::DynamicStrided, Form::View, Form::Gcd];

/// Divisor of sizes and strides in [`Form::Gcd`].
pub const GCD: usize = 16;
/// Offset of the members of a group.
const OFFSET: usize = 3;
/// Number of members of a group, and which of them the tensor is.
const MEMBERS: usize = 3;
const MEMBER: usize = 1;
/// Elements that two views cut off in front and behind.
const CUT: [usize; 2] = [2, 1];

/// A tensor in a buffer of its own.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: &'static str,
    pub ty: Scalar,
    pub sizes: Vec<usize>,
    pub strides: Vec<usize>,
    form: Form,
    /// Place of the first element in the buffer.
    start: usize,
    /// Elements of the buffer.
    pub length: usize,
}

impl Tensor {
    pub fn new(name: &'static str, ty: Scalar, sizes: &[usize], form: Form) -> Tensor {
        let (mut first, mut gap, mut start) = (1, 0, 0);
        match form {
            Form::Static | Form::Dynamic => {}
            Form::Strided => (first, gap) = (2, 3),
            Form::DynamicStrided => (first, gap) = (3, 1),
            // The offset keeps elements aligned to no more than themselves.
            Form::Group => (gap, start) = (5, OFFSET),
            Form::View => gap = 2 * (CUT[0] + CUT[1]),
            Form::Gcd => gap = GCD,
        }
        let mut strides = Vec::new();
        let mut stride = first;
        for (mode, size) in sizes.iter().enumerate() {
            strides.push(stride);
            let step =
                if mode == 0 { size * first + gap } else { size + usize::from(gap > 0 && form != Form::Gcd) };
            stride = if mode == 0 { step.max(1) } else { stride * step.max(1) };
        }
        if form == Form::View {
            // The larger tensor is packed, and has one mode at least.
            strides.clear();
            let mut stride = 1;
            for size in sizes {
                strides.push(stride);
                stride *= size + 2 * (CUT[0] + CUT[1]);
            }
            start = (CUT[0] + CUT[1]) * strides.iter().sum::<usize>().max(1);
        }
        let last: usize =
            sizes.iter().zip(&strides).map(|(size, stride)| size.saturating_sub(1) * stride).sum();
        let length = start + last + 1 + if form == Form::View { start } else { 0 };
        Tensor { name, ty, sizes: sizes.to_vec(), strides, form, start, length }
    }

    /// The parameter of the kernel.
    pub fn parameter(&self) -> String {
        let Tensor { name, .. } = self;
        match self.form {
            Form::Static | Form::Strided | Form::Dynamic | Form::DynamicStrided => {
                format!("%{name}: {}", self.memref())
            }
            Form::Gcd => {
                let shape: Vec<String> = self.sizes.iter().map(|_| GCD.to_string()).collect();
                let stride: Vec<String> =
                    (0..self.sizes.len()).map(|mode| if mode == 0 { 1 } else { GCD }.to_string()).collect();
                let attributes = format!(
                    "alignment=128, shape_gcd=[{}], stride_gcd=[{}]",
                    shape.join(","),
                    stride.join(",")
                );
                format!("%{name}: {} {{{attributes}}}", self.memref())
            }
            Form::Group => format!("%{name}_group: group<{}x?, offset: ?>", self.memref()),
            Form::View => {
                let sizes: String =
                    (0..self.sizes.len()).map(|mode| format!(", %{name}_{mode}: index")).collect();
                format!("%{name}_whole: memref<{}{}>{sizes}", self.ty, "x?".repeat(self.sizes.len().max(1)))
            }
        }
    }

    /// The memref type that the kernel computes with.
    pub fn memref(&self) -> String {
        let order = self.sizes.len();
        let (sizes, strides) = (self.list("x", &self.sizes), self.list(",", &self.strides));
        let question = |separator: &str| format!("{separator}?").repeat(order);
        let strided = |strides: &str| match order {
            0 => String::new(),
            _ => format!(",strided<{}>", &strides[1..]),
        };
        match self.form {
            Form::Static => format!("memref<{}{sizes}>", self.ty),
            Form::Strided => format!("memref<{}{sizes}{}>", self.ty, strided(&strides)),
            Form::Dynamic | Form::Gcd => format!("memref<{}{}>", self.ty, question("x")),
            Form::DynamicStrided => {
                format!("memref<{}{}{}>", self.ty, question("x"), strided(&question(",")))
            }
            Form::Group | Form::View => {
                let rest = if order == 0 { String::new() } else { format!(",1{}", ",?".repeat(order - 1)) };
                format!("memref<{}{}{}>", self.ty, question("x"), strided(&rest))
            }
        }
    }

    fn list(&self, separator: &str, numbers: &[usize]) -> String {
        numbers.iter().map(|number| format!("{separator}{number}")).collect()
    }

    /// Instructions after which `%name` is the tensor.
    pub fn prologue(&self) -> String {
        let Tensor { name, .. } = self;
        match self.form {
            Form::Group => format!(
                "%{name}_member = constant {MEMBER} : index
                 %{name} = load %{name}_group[%{name}_member] : {}\n",
                self.memref()
            ),
            Form::View => self.views(),
            _ => String::new(),
        }
    }

    /// The inner view cuts what the outer one, whose sizes are known at run time, has left.
    fn views(&self) -> String {
        let Tensor { name, ty, .. } = self;
        let order = self.sizes.len();
        if order == 0 {
            return format!(
                "%{name}_most = subview %{name}_whole[{}:{}] : memref<{ty}x{}>
                 %{name} = subview %{name}_most[{}] : memref<{ty}>\n",
                CUT[0],
                2 * CUT[1] + 1,
                2 * CUT[1] + 1,
                CUT[1]
            );
        }
        let mut text = format!("%{name}_cut = constant {} : index\n", 2 * CUT[1]);
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for mode in 0..order {
            text += &format!("%{name}_most_{mode} = add %{name}_{mode}, %{name}_cut : index\n");
            outer.push(format!("{}:%{name}_most_{mode}", CUT[0]));
            inner.push(format!("{}:%{name}_{mode}", CUT[1]));
        }
        let memref = self.memref();
        text += &format!("%{name}_most = subview %{name}_whole[{}] : {memref}\n", outer.join(","));
        text += &format!("%{name} = subview %{name}_most[{}] : {memref}\n", inner.join(","));
        text
    }

    /// The arguments for the parameter, if the tensor lies in the buffer of that number.
    pub fn arguments(&self, buffer: usize) -> Vec<Arg> {
        let order = self.sizes.len();
        let index = |&value: &usize| Arg::Index(value);
        match self.form {
            Form::Static | Form::Strided => vec![Arg::Pointer(buffer, self.start)],
            Form::Dynamic | Form::Gcd => {
                let mut arguments = vec![Arg::Pointer(buffer, self.start)];
                arguments.extend(self.sizes.iter().map(index));
                // The first stride is 1.
                arguments.extend(self.strides.iter().skip(1).map(index));
                arguments
            }
            Form::DynamicStrided => {
                let mut arguments = vec![Arg::Pointer(buffer, self.start)];
                arguments.extend(self.sizes.iter().chain(&self.strides).map(index));
                arguments
            }
            Form::Group => {
                let members = |value: usize| {
                    let mut table = vec![-1; MEMBERS];
                    table[MEMBER] = value as i64;
                    Arg::Indices(table)
                };
                let mut pointers = vec![None; MEMBERS];
                pointers[MEMBER] = Some((buffer, self.start - OFFSET));
                let mut arguments = vec![Arg::Pointers(pointers)];
                arguments.extend(self.sizes.iter().map(|&size| members(size)));
                arguments.extend(self.strides.iter().skip(1).map(|&stride| members(stride)));
                arguments.extend([Arg::Index(MEMBERS), Arg::Index(OFFSET)]);
                arguments
            }
            Form::View => {
                let whole: Vec<usize> = self.sizes.iter().map(|size| size + 2 * (CUT[0] + CUT[1])).collect();
                let mut arguments = vec![Arg::Pointer(buffer, 0)];
                arguments.extend(whole.iter().map(index));
                arguments.extend(self.strides.iter().skip(1).map(index));
                if order == 0 {
                    arguments.push(Arg::Index(self.length));
                }
                arguments.extend(self.sizes.iter().map(index));
                arguments
            }
        }
    }

    /// Place of an element in the buffer.
    pub fn place(&self, indices: &[usize]) -> usize {
        self.start + indices.iter().zip(&self.strides).map(|(index, stride)| index * stride).sum::<usize>()
    }

    /// All indices, the first mode fastest.
    pub fn indices(&self) -> Vec<Vec<usize>> {
        let count: usize = self.sizes.iter().product();
        let split = |mut rest: usize| {
            let digit = |size: &usize| {
                let index = rest % size;
                rest /= size;
                index
            };
            self.sizes.iter().map(digit).collect()
        };
        (0..count).map(split).collect()
    }

    /// The buffer: the elements where they belong, and everywhere else bits that are NaN in every floating type.
    pub fn fill(&self, mut number: impl FnMut() -> Number) -> Array {
        let mut array = Array { ty: self.ty, bytes: vec![0xff; self.length * width(self.ty)] };
        for indices in self.indices() {
            array.set(self.place(&indices), number());
        }
        array
    }
}
