//! The syntax templates of the instruction declarations, for parser and printer alike.

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// A field of the instruction.
    Field(&'a str),
    /// The type of the result.
    Type,
    /// A blank, which only the printer minds.
    Blank,
    /// Punctuation.
    Punct(&'a str),
}

/// The parts of a template in order.
pub(super) fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if let Some((name, behind)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            rest = behind;
            return Some(if name == "type" { Piece::Type } else { Piece::Field(name) });
        }
        let first = rest.chars().next()?;
        let (piece, behind) = rest.split_at_checked(first.len_utf8())?;
        rest = behind;
        Some(if piece == " " { Piece::Blank } else { Piece::Punct(piece) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Results, Syntax, TABLE};

    #[test]
    fn templates_mention_every_field_once() {
        for info in TABLE {
            let Syntax::Regular(template) = info.syntax else { continue };
            let mut named: Vec<_> = pieces(template)
                .filter_map(|piece| if let Piece::Field(name) = piece { Some(name) } else { None })
                .collect();
            let mut declared: Vec<_> = info.fields.iter().map(|field| field.0).collect();
            if info.spelling.is_empty() {
                declared.remove(0);
            }
            named.sort_unstable();
            declared.sort_unstable();
            assert_eq!(named, declared, "{}", info.name);
            let typed = pieces(template).any(|piece| piece == Piece::Type);
            assert_eq!(typed, info.results == Results::One, "{}", info.name);
        }
    }
}
