//! Types (language reference 3).

use super::super::error::Error;
use super::super::lexer::Token;
use super::Parser;
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Coopmatrix, Extent, Group, MatrixUse, Memref, Scalar, Swizzle, Tile, Type, VerifierError,
    canonical_stride, check_type,
};
use crate::status::Status;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Result<Type, Error> {
        let begin = self.place();
        let ty = match *self.peek() {
            Token::Definition(_) => return self.defined_type(),
            Token::Word("memref") => self.nested(|parser| parser.memref(begin))?,
            Token::Word("group") => self.nested(|parser| parser.group(begin))?,
            Token::Word("coopmatrix") => {
                let (component, rows, cols, usage) = self.nested(|parser| parser.matrix(begin))?;
                Coopmatrix { component, rows, cols, usage }.into()
            }
            Token::Word("tile") => {
                let (component, rows, cols, usage) = self.nested(|parser| parser.matrix(begin))?;
                Tile { component, rows, cols, usage }.into()
            }
            Token::Word("bool") => {
                self.advance();
                Type::Bool
            }
            Token::Word(word) => match Scalar::from_spelling(word) {
                Some(scalar) => {
                    self.advance();
                    Type::Scalar(scalar)
                }
                None => return self.unexpected("a type"),
            },
            _ => return self.unexpected("a type"),
        };
        check_type(&ty, self.since(begin))?;
        Ok(ty)
    }

    /// A size: an integer, `$` name or `?`.
    fn extent(&mut self) -> Result<Extent, Error> {
        if self.accept("?") {
            return Ok(Extent::Dynamic);
        }
        match self.peek() {
            Token::Int(_) | Token::Definition(_) => self.integer().map(Extent::Static),
            _ => self.unexpected("an integer, a definition (`$…`) or `?`"),
        }
    }

    fn memref(&mut self, begin: Location) -> Result<Type, Error> {
        self.advance();
        self.expect("<")?;
        let lengths_from = self.place();
        let element = self.ty()?;
        let mut shape = Vec::new();
        while self.accept("x") {
            shape.push(self.extent()?);
        }
        let (mut stride, mut swizzle) = (None, None);
        let mut space = AddressSpace::Global;
        let mut closed = self.accept(">");
        if !closed {
            self.comma_or(">")?;
            if self.accept("swizzle") {
                swizzle = Some(self.swizzle()?);
            } else if self.accept("strided") {
                self.expect("<")?;
                let list = self.list(">", true, Self::extent)?;
                if list.len() != shape.len() {
                    let detail = format!("{} sizes, {} strides", shape.len(), list.len());
                    let place = self.since(lengths_from);
                    return Err(VerifierError::new(Status::IrShapeStrideMismatch, place, detail).into());
                }
                stride = Some(list);
            }
            let has_layout = stride.is_some() || swizzle.is_some();
            if has_layout {
                closed = self.accept(">");
                if !closed {
                    self.comma_or(">")?;
                }
            }
            if !closed {
                space = self.address_space(!has_layout)?;
                self.expect(">")?;
            }
        }
        let element = self.number_type(&element, begin)?;
        let stride = stride.unwrap_or_else(|| canonical_stride(&shape));
        Ok(Memref { element, shape, stride, swizzle, space }.into())
    }

    /// The numbers of a swizzle, behind its name.
    fn swizzle(&mut self) -> Result<Swizzle, Error> {
        self.expect("<")?;
        let vec = self.integer()?;
        self.expect(",")?;
        let per_phase = self.integer()?;
        self.expect(",")?;
        let max_phase = self.integer()?;
        self.expect(">")?;
        Ok(Swizzle { vec, per_phase, max_phase })
    }

    fn comma_or(&mut self, other: &str) -> Result<(), Error> {
        if self.accept(",") { Ok(()) } else { self.unexpected(format!("`x`, `,` or `{other}`")) }
    }

    fn address_space(&mut self, or_strided: bool) -> Result<AddressSpace, Error> {
        let space = match self.peek() {
            Token::Word(word) => AddressSpace::from_spelling(word),
            _ => None,
        };
        match space {
            Some(space) => {
                self.advance();
                Ok(space)
            }
            None if or_strided => self.unexpected("`strided`, `swizzle`, `global` or `local`"),
            None => self.unexpected("`global` or `local`"),
        }
    }

    fn number_type(&self, ty: &Type, begin: Location) -> Result<Scalar, Error> {
        ty.scalar().ok_or_else(|| {
            VerifierError::new(Status::IrExpectedNumber, self.since(begin), format!("the entries are {ty}"))
                .into()
        })
    }

    fn group(&mut self, begin: Location) -> Result<Type, Error> {
        self.advance();
        self.expect("<")?;
        let member = self.ty()?;
        self.expect("x")?;
        let size = self.extent()?;
        let mut offset = Extent::Static(0);
        if self.accept(",") {
            self.expect("offset")?;
            self.expect(":")?;
            offset = self.extent()?;
            self.expect(">")?;
        } else if !self.accept(">") {
            return self.unexpected("`,` or `>`");
        }
        let Type::Memref(member) = member else {
            let detail = format!("the members are {member}");
            return Err(VerifierError::new(Status::IrExpectedMemref, self.since(begin), detail).into());
        };
        Ok(Group { member, size, offset }.into())
    }

    /// Component type, rows, columns and use of a cooperative matrix or a tile.
    fn matrix(&mut self, begin: Location) -> Result<(Scalar, i64, i64, MatrixUse), Error> {
        self.advance();
        self.expect("<")?;
        let component = self.ty()?;
        self.expect("x")?;
        let rows = self.integer()?;
        self.expect("x")?;
        let cols = self.integer()?;
        self.expect(",")?;
        let usage = match self.peek() {
            Token::Word(word) => MatrixUse::from_spelling(word),
            _ => None,
        };
        let Some(usage) = usage else {
            return self.unexpected("`matrix_a`, `matrix_b` or `matrix_acc`");
        };
        self.advance();
        self.expect(">")?;
        let component = self.number_type(&component, begin)?;
        Ok((component, rows, cols, usage))
    }
}
