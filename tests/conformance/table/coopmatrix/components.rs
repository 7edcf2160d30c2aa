//! Operations on matrices entry by entry.

use tiletc::ir::{Coopmatrix, MatrixUse, Scalar};

use super::super::features::required;
use super::super::launch::{Arg, Buffer, Expected, Launch};
use super::super::number::{Array, Number, decode, encode, sample};
use super::super::operations::{ARITHMETIC, Operation, expected, operands};
use super::{FEW, SHAPES, USES, kernel, matrix, numbers};
use crate::numbers::Random;

/// Packed matrices as parameters, and what becomes of them.
pub(super) struct Packed {
    size: i32,
    shape: (usize, usize),
    usage: MatrixUse,
    parameters: Vec<String>,
    loads: String,
    pub(super) body: String,
    stores: String,
    buffers: Vec<Buffer>,
    types: Vec<Scalar>,
    arguments: Vec<Arg>,
}

impl Packed {
    pub(super) fn new(size: i32, shape: (usize, usize), usage: MatrixUse) -> Packed {
        Packed {
            size,
            shape,
            usage,
            parameters: Vec::new(),
            loads: String::new(),
            body: String::new(),
            stores: String::new(),
            buffers: Vec::new(),
            types: Vec::new(),
            arguments: Vec::new(),
        }
    }

    fn parameter(&mut self, name: &str, ty: Scalar, (rows, cols): (usize, usize), buffer: Buffer) {
        self.parameters.push(format!("%{name}_: memref<{ty}x{rows}x{cols}>"));
        self.arguments.push(Arg::Pointer(self.buffers.len(), 0));
        self.buffers.push(buffer);
        self.types.push(ty);
    }

    /// Loads `%name`.
    pub(super) fn input(&mut self, name: &str, ty: Scalar, numbers: &[Number]) {
        let shape = self.shape;
        self.parameter(name, ty, shape, Buffer::input(Array::of(ty, numbers.iter().copied())));
        let matrix = matrix(ty, shape, self.usage);
        self.loads += &format!("%{name} = cooperative_matrix_load %{name}_[%zero,%zero] : {matrix}\n");
    }

    /// Stores `%name`, a matrix of the shape.
    pub(super) fn output(
        &mut self,
        of: &[&'static str],
        name: &str,
        ty: Scalar,
        shape: (usize, usize),
        after: Vec<Expected>,
    ) {
        self.parameter(name, ty, shape, Buffer::results(of, ty, after));
        self.stores += &format!("cooperative_matrix_store %{name}, %{name}_[%zero,%zero]\n");
    }

    pub(super) fn launch(self, name: String) -> Launch {
        let body = self.loads + &self.body + &self.stores;
        Launch {
            name,
            kernel: kernel(self.size, &self.parameters, "", &body),
            groups: [1, 1, 1],
            arguments: self.arguments,
            buffers: self.buffers,
            requires: required(&self.types, None),
        }
    }
}

/// Every operation on numbers, entry by entry.
pub(super) fn arithmetic(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut random = Random::new(ty as u64);
    let mut launches = Vec::new();
    let defined: Vec<&Operation> =
        ARITHMETIC.iter().filter(|operation| (operation.result)(ty).is_some()).collect();
    for (turn, usage) in USES.into_iter().enumerate() {
        let shape = FEW[(ty as usize + turn + size as usize / 16) % FEW.len()];
        let mut packed = Packed::new(size, shape, usage);
        for operation in &defined {
            let Operation { instruction, .. } = operation;
            let result = (operation.result)(ty).unwrap_or(ty);
            let pairs: Vec<(Number, Number)> =
                (0..shape.0 * shape.1).map(|_| operands(operation, ty, &mut random)).collect();
            let [a, b] = [format!("a_{instruction}"), format!("b_{instruction}")];
            packed.input(&a, ty, &pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
            let mut applied = format!("%{a}");
            if operation.operands == 2 {
                packed.input(&b, ty, &pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
                applied += &format!(", %{b}");
            }
            let to = matrix(result, shape, usage);
            packed.body += &format!("%r_{instruction} = {instruction} {applied} : {to}\n");
            let after = pairs.iter().map(|&(a, b)| expected(operation, ty, a, b)).collect();
            packed.output(&[instruction], &format!("r_{instruction}"), result, shape, after);
        }
        launches.push(packed.launch(format!("arithmetic of {ty} {shape:?} {usage}")));
    }
    launches
}

/// Cases of work-items' operations on their components, and of matrices made of numbers.
pub(super) fn components(ty: Scalar, size: i32) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut random = Random::new(ty as u64);
    for (turn, usage) in USES.into_iter().enumerate() {
        let shape = SHAPES[(ty as usize + 3 * turn + size as usize / 16 + 5) % SHAPES.len()];
        let whole = matrix(ty, shape, usage);
        let entries = numbers(ty, shape, &mut random);
        let factor = sample(ty, &mut random);
        let mut packed = Packed::new(size, shape, usage);
        packed.parameters.push(format!("%s: {ty}"));
        packed.arguments.push(Arg::Number(ty, factor));
        packed.types.push(ty);
        packed.input("a", ty, &entries);
        let literal = sample(ty, &mut random);
        let literal = if literal.to_i64() == i64::MIN { Number::small(ty, 7) } else { literal };
        packed.body += &format!(
            "%constant = constant {} : {whole}
             %construct = cooperative_matrix_construct %s : {whole}
             %scale = cooperative_matrix_scale %s, %a : {whole}
             %apply = cooperative_matrix_apply (%i,%j,%v)=%a -> {whole} {{
                %ten = constant 10 : i32
                %column = mul %j, %ten : i32
                %sum = add %i, %column : i32
                %wide = cast %sum : {ty}
                %lower = greater_than %i, %j : bool
                %entry = if %lower -> ({ty}) {{ yield (%wide) }} else {{ yield (%v) }}
                yield (%entry)
             }}\n",
            literal.literal(ty)
        );
        // Every component is taken out and put back one place further.
        let kind = Coopmatrix { component: ty, rows: shape.0 as i64, cols: shape.1 as i64, usage };
        let count = tiletc::analysis::Layout::new(kind, size.into()).map_or(0, |layout| layout.length());
        packed.body += "%next0 = cast %a : ";
        packed.body += &format!("{whole}\n");
        for component in 0..count {
            packed.body += &format!(
                "%x{component} = cooperative_matrix_extract %a[{component}] : {ty}
                 %y{component} = neg %x{component} : {ty}
                 %next{} = cooperative_matrix_insert %y{component}, %next{component}[{component}] : {whole}\n",
                component + 1
            );
        }
        packed.body += &format!("%moved = cast %next{count} : {whole}\n");
        let each = |of: &dyn Fn(usize, Number) -> Expected| -> Vec<Expected> {
            entries.iter().enumerate().map(|(place, &entry)| of(place, entry)).collect()
        };
        let product = &ARITHMETIC[2];
        let (rows, _) = shape;
        let outputs: [(&[&'static str], &str, Vec<Expected>); 5] = [
            (&["constant"], "constant", each(&|_, _| Expected::exactly(decode(ty, &encode(ty, literal))))),
            (&["cooperative_matrix_construct"], "construct", each(&|_, _| Expected::exactly(factor))),
            (&["cooperative_matrix_scale"], "scale", each(&|_, entry| expected(product, ty, factor, entry))),
            (
                &["cooperative_matrix_apply"],
                "apply",
                each(&|place, entry| {
                    let (i, j) = (place % rows, place / rows);
                    let place = decode(ty, &encode(ty, Number::small(ty, (i + 10 * j) as i64)));
                    Expected::exactly(if i > j { place } else { entry })
                }),
            ),
            (
                &["cooperative_matrix_extract", "cooperative_matrix_insert"],
                "moved",
                each(&|_, entry| Expected::exactly(entry.negative())),
            ),
        ];
        for (of, name, after) in outputs {
            packed.output(of, name, ty, shape, after);
        }
        // Parts: at the end, with rows that move to other work-items, and a row of all columns.
        let (rows, cols) = shape;
        let parts = [
            ((rows / 2).max(1), cols.div_ceil(2), rows - (rows / 2).max(1), cols - cols.div_ceil(2)),
            ((rows / 4).max(1), cols, (rows / 4).min(3), 0),
            (1, cols, rows - 1, 0),
        ];
        for (n, (part_rows, part_cols, row, col)) in parts.into_iter().enumerate() {
            let to_usage = if usage == MatrixUse::Acc { USES[(n + turn) % 3] } else { usage };
            let part = matrix(ty, (part_rows, part_cols), to_usage);
            packed.body += &format!("%part{n} = cooperative_matrix_slice %a[{row},{col}] : {part}\n");
            let places = (0..part_cols).flat_map(|j| (0..part_rows).map(move |i| row + i + rows * (col + j)));
            let after = places.map(|place| Expected::exactly(entries[place])).collect();
            let name = format!("part{n}");
            packed.output(&["cooperative_matrix_slice"], &name, ty, (part_rows, part_cols), after);
        }
        // To another type that represents all of its numbers, and to another use.
        let targets: Vec<Scalar> = Scalar::ALL.iter().copied().filter(|&to| ty.promotable_to(to)).collect();
        for (n, to) in targets.into_iter().enumerate() {
            let to_usage = if usage == MatrixUse::Acc { USES[n % 3] } else { usage };
            packed.body += &format!("%to_{to} = cast %a : {}\n", matrix(to, shape, to_usage));
            let after = each(&|_, entry| Expected::exactly(entry.promoted(to)));
            packed.output(&["cast"], &format!("to_{to}"), to, shape, after);
        }
        launches.push(packed.launch(format!("components of {ty} {shape:?} {usage}")));
    }
    launches
}
