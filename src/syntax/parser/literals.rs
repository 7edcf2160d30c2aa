//! Short forms: literals without constants of their own, and types that follow (language reference 2.2).

use super::super::error::Error;
use super::super::lexer::Token;
use super::{Literal, Parser};
use crate::ir::{
    Constant, ConstantInst, Info, LiteralError, MatrixUse, Op, Scalar, Tile, Type, Value, VerifierError,
};
use crate::status::Status;

/// Literals that an instruction may have: each is looked for among all of them.
const MAX_LITERALS: usize = 1024;

impl Parser<'_> {
    /// The next token begins a literal, or a `$` name that may stand for one.
    pub(super) fn begins_literal(&self) -> bool {
        matches!(
            self.peek(),
            Token::Int(_)
                | Token::Float(_)
                | Token::Word("true" | "false")
                | Token::Punct("[")
                | Token::Definition(_)
        )
    }

    /// A literal as an operand, for which a constant is made in front of the instruction.
    pub(super) fn literal_operand(&mut self) -> Result<Value, Error> {
        let (begin, shown) = (self.place(), self.peek().to_string());
        let value = self.literal()?;
        let place = self.since(begin);
        // The widest of its kind, until the type is known.
        let ty = match value {
            Constant::Bool(_) => Type::Bool,
            Constant::Int(_) => Type::INDEX,
            Constant::Float(_) => Type::Scalar(Scalar::F64),
            Constant::Complex(..) => Type::Scalar(Scalar::C64),
        };
        let inst = self.insert(ConstantInst { value }, &[ty], place)?;
        let Some(&value) = self.ir[inst].results.first() else { return self.unexpected("a constant") };
        self.literals.push(Literal { value, shown, place });
        Ok(value)
    }

    /// Gives the literals among the operands of an instruction their types.
    pub(super) fn type_literals(&mut self, op: &Op, results: &[Type]) -> Result<(), Error> {
        let literals = std::mem::take(&mut self.literals);
        let Some(first) = literals.first() else { return Ok(()) };
        if literals.len() > MAX_LITERALS {
            let detail = format!("{} literals, where {MAX_LITERALS} are the most", literals.len());
            return Err(VerifierError::new(Status::OutOfRange, first.place, detail).into());
        }
        let values: Vec<Value> = literals.iter().map(|literal| literal.value).collect();
        let around = self.current.and_then(|region| self.ir.owner(region));
        self.ir.type_literals(op, results, &values, around).map_err(|error| match error {
            LiteralError::Misfit(error) => error.into(),
            LiteralError::Untyped(value) => {
                let found = literals.into_iter().find(|literal| literal.value == value);
                let (found, location) = found
                    .map_or_else(|| (String::new(), self.place()), |literal| (literal.shown, literal.place));
                let expected = "a value, as in `%c = constant …`, since no type follows here, \
                                from other operands or behind the instruction";
                let expected = expected.to_owned();
                Error::Unexpected { expected, found, location }
            }
        })
    }

    /// The next token may stand behind an instruction, which has no type then.
    pub(super) fn is_behind_instruction(&self) -> bool {
        match self.peek() {
            Token::Local(_) | Token::Definition(_) | Token::Punct("}") | Token::End => true,
            Token::Word(word) => Info::of_mnemonic(word).is_some(),
            _ => false,
        }
    }

    /// The next token begins rows and columns in place of the type of a tile.
    pub(super) fn begins_shape(&self) -> bool {
        match self.peek() {
            Token::Int(_) => true,
            Token::Definition(name) => self.stands_for_integer(name),
            _ => false,
        }
    }

    /// `rows x columns`
    pub(super) fn shape(&mut self) -> Result<[i64; 2], Error> {
        let rows = self.integer()?;
        self.expect("x")?;
        Ok([rows, self.integer()?])
    }

    /// The type of a tile that is loaded and of which the text has the shape: the entries are those of the memory. It is an
    /// accumulator until [`Parser::settle_uses`] knows better.
    pub(super) fn tile_of_shape(&self, op: &Op, [rows, cols]: [i64; 2]) -> Result<Type, Error> {
        let Op::TileLoad(load) = op else { return self.unexpected("a type") };
        let Some(memref) = self.ir.ty(load.from).memref() else { return self.unexpected("a memref") };
        Ok(Tile { component: memref.element, rows, cols, usage: MatrixUse::Acc }.into())
    }

    /// Gives tiles whose types are only shapes the use that an instruction has for them, if it is the first that takes them.
    pub(super) fn settle_uses(&mut self, op: &Op) {
        if self.open_tiles.is_empty() {
            return;
        }
        op.visit_operands(&mut |operand| {
            if !self.open_tiles.remove(&operand) {
                return;
            }
            if let (Op::TileDot(dot), Type::Tile(tile)) = (op, &mut self.ir[operand].ty) {
                let uses = [(dot.a, MatrixUse::A), (dot.b, MatrixUse::B)];
                let found = uses.into_iter().find(|&(factor, _)| factor == operand);
                tile.usage = found.map_or(MatrixUse::Acc, |(_, usage)| usage);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::SourceId;
    use crate::ir::{Family, Inst, Ir, LiteralError, Op, Type, Value};
    use std::path::Path;

    /// The programs of a folder of filetests that are accepted, with the instructions of each.
    fn programs(folder: &str, check: &mut dyn FnMut(&mut Ir, Inst, &str)) -> std::io::Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests").join(folder);
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let text = std::fs::read(&path)?;
            let mut ir = Ir::default();
            let Ok(program) = super::super::parse(&mut ir, SourceId::default(), &text) else { continue };
            let mut insts = Vec::new();
            for &func in &program.functions {
                ir.walk(ir[func].body, &mut |inst| insts.push(inst));
            }
            for inst in insts {
                check(&mut ir, inst, &path.display().to_string());
            }
        }
        Ok(())
    }

    #[test]
    fn literals_of_an_instruction_are_bounded() {
        let load = |indices: usize| {
            let text =
                format!("func @f(%A: memref<f32x4>) {{ %a = load %A[{}] }}", vec!["0"; indices].join(","));
            super::super::parse(&mut Ir::default(), SourceId::default(), text.as_bytes()).err()
        };
        let status = |indices| load(indices).map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(status(1), "");
        assert!(status(1024).contains("1024 instead of 1"), "{}", status(1024));
        assert!(status(1025).contains("1025 literals, where 1024 are the most"), "{}", status(1025));
    }

    fn result_types(ir: &Ir, inst: Inst) -> Vec<Type> {
        ir[inst].results.iter().map(|&result| ir.ty(result).clone()).collect()
    }

    /// The type that follows is the one that programs have.
    #[test]
    fn types_that_follow_are_those_that_are_written() -> std::io::Result<()> {
        let (mut followed, mut differ) = (0, 0);
        for folder in ["language", "passes", "kernels", "spirv"] {
            programs(folder, &mut |ir, inst, path| {
                let Some(found) = ir[inst].op.result_types(ir) else { return };
                let written = result_types(ir, inst);
                // A view may be written with strides that are left open.
                let is_view = matches!(ir[inst].op, Op::Subview(_) | Op::Expand(_) | Op::Fuse(_));
                // `not` may give a boolean, whatever the operand is.
                let is_hole = matches!(ir[inst].op, Op::Unary(_)) && written == [Type::Bool];
                let is_if = matches!(ir[inst].op, Op::If(_));
                // A reduction to several columns must be written out.
                let is_part = matches!(ir[inst].op, Op::TileReduce(_));
                followed += 1;
                if found != written {
                    differ += 1;
                    assert!(is_view || is_hole || is_if || is_part, "{path}: {found:?} for {written:?}");
                }
            })?;
        }
        assert!(followed > 1000 && differ * 20 < followed, "{differ} of {followed} types differ");
        Ok(())
    }

    /// A constant that stands for an operand would have the same type as a literal, unless it is a factor of a type that is
    /// promoted, or one constant is all bounds of a loop.
    #[test]
    fn literals_have_the_types_of_constants() -> std::io::Result<()> {
        let (mut known, mut unknown, mut promoted) = (0, Vec::new(), 0);
        for folder in ["language", "passes", "kernels", "spirv"] {
            programs(folder, &mut |ir, inst, path| {
                let op = ir[inst].op.clone();
                let mut constants: Vec<Value> = Vec::new();
                op.visit_operands(&mut |value| {
                    let is_number = matches!(ir.ty(value), Type::Bool | Type::Scalar(_));
                    let is_constant = matches!(ir.defining_op(value), Some(Op::ConstantInst(_)));
                    if is_number && is_constant && !constants.contains(&value) {
                        constants.push(value);
                    }
                });
                let around = ir.parent(inst).and_then(|region| ir.owner(region));
                let results = result_types(ir, inst);
                for value in constants {
                    let written = ir.ty(value).clone();
                    let outcome = ir.type_literals(&op, &results, &[value], around);
                    let found = std::mem::replace(&mut ir[value].ty, written.clone());
                    match outcome {
                        Ok(()) if found == written => known += 1,
                        Ok(()) | Err(LiteralError::Misfit(_)) => {
                            let family = op.info().family;
                            let is_bound_alone = family == Family::ControlFlow && found == Type::INDEX;
                            let is_promoted = family == Family::LinearAlgebra;
                            assert!(is_promoted || is_bound_alone, "{path}: {found} for {written}");
                            promoted += 1;
                        }
                        Err(LiteralError::Untyped(_)) => unknown.push(op.mnemonic()),
                    }
                }
            })?;
        }
        unknown.sort_unstable();
        unknown.dedup();
        assert!(known > 500 && promoted * 20 < known, "{known} known, {promoted} promoted");
        assert_eq!(unknown, ["abs", "cast", "equal", "im", "not_equal", "re", "subview"]);
        Ok(())
    }
}
