//! The syntax templates of the instruction declarations, for parser and printer alike.
//!
//! | template | text |
//! | --- | --- |
//! | `{field}` | the content of a field |
//! | `{field+}` | a list with at least one item, up to the punctuation that follows |
//! | `{type}`, `{types}` | the type of the only result, the types of all results |
//! | `{name}`, `{names}` | one or several names for parameters of the first region |
//! | `{region}` | the next region |
//! | `{? … ?}` | only there if what it holds is: a dictionary, types of results, or a region |

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// A field of the instruction.
    Field(&'a str),
    /// A field that is a list with at least one item.
    List(&'a str),
    /// The type of the result.
    Type,
    /// The types of the results.
    Types,
    /// A name for a parameter of the first region.
    Name,
    /// Names for parameters of the first region. Several lists name equal parts of them.
    Names,
    /// The next region.
    Region,
    /// The beginning of an optional part.
    Optional,
    /// Its end.
    EndOptional,
    /// A blank, which only the printer minds.
    Blank,
    /// A word or punctuation.
    Punct(&'a str),
}

/// The parts of a template in order.
pub(super) fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> + Clone {
    let mut rest = template;
    std::iter::from_fn(move || {
        let piece = if let Some(behind) = rest.strip_prefix("{?") {
            rest = behind;
            Piece::Optional
        } else if let Some(behind) = rest.strip_prefix("?}") {
            rest = behind;
            Piece::EndOptional
        } else if let Some((name, behind)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            rest = behind;
            match name {
                "type" => Piece::Type,
                "types" => Piece::Types,
                "name" => Piece::Name,
                "names" => Piece::Names,
                "region" => Piece::Region,
                name => name.strip_suffix('+').map_or(Piece::Field(name), Piece::List),
            }
        } else {
            let (text, behind) = rest.split_at_checked(token_length(rest)?)?;
            rest = behind;
            if text == " " { Piece::Blank } else { Piece::Punct(text) }
        };
        Some(piece)
    })
}

/// Bytes of the word or punctuation that a text begins with; `None` at its end.
fn token_length(text: &str) -> Option<usize> {
    if ["->", "<="].iter().any(|token| text.starts_with(token)) {
        return Some(2);
    }
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let first = text.chars().next()?;
    Some(letters.max(first.len_utf8()))
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
                .filter_map(|piece| match piece {
                    Piece::Field(name) | Piece::List(name) => Some(name),
                    _ => None,
                })
                .collect();
            let mut declared: Vec<_> = info.fields.iter().map(|field| field.0).collect();
            if info.spelling.is_empty() {
                declared.remove(0);
            }
            named.sort_unstable();
            declared.sort_unstable();
            assert_eq!(named, declared, "{}", info.name);
            let count = |wanted| pieces(template).filter(|piece| *piece == wanted).count();
            assert_eq!(count(Piece::Type), usize::from(info.results == Results::One), "{}", info.name);
            assert_eq!(count(Piece::Types), usize::from(info.results == Results::Many), "{}", info.name);
            assert_eq!(count(Piece::Region), info.regions.len(), "{}", info.name);
            assert_eq!(count(Piece::Optional), count(Piece::EndOptional), "{}", info.name);
        }
    }

    #[test]
    fn at_most_three_instructions_have_functions_of_their_own() {
        let custom = TABLE.iter().filter(|info| info.syntax == Syntax::Custom).map(|info| info.name);
        assert_eq!(custom.collect::<Vec<_>>(), ["Subview", "Expand", "For"]);
    }
}
