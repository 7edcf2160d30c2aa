//! The syntax templates of the instruction declarations, for parser and printer alike.
//!
//! | template | text |
//! | --- | --- |
//! | `{field}` | the content of a field |
//! | `{field+}` | a list with at least one item, up to the punctuation that follows; of boundaries, the attribute |
//! | `{type}`, `{types}` | the type of the only result, the types of all results |
//! | `{name}`, `{names}` | one or several names for parameters of the first region |
//! | `{region}` | the next region |
//! | `{? … ?}` | only there if what it holds is: a dictionary, an operand, types of results, or a region |

/// An element of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Element<'a> {
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

/// The elements of a template in order.
pub(super) fn elements(template: &str) -> impl Iterator<Item = Element<'_>> + Clone {
    let mut rest = template;
    std::iter::from_fn(move || {
        let element = if let Some(behind) = rest.strip_prefix("{?") {
            rest = behind;
            Element::Optional
        } else if let Some(behind) = rest.strip_prefix("?}") {
            rest = behind;
            Element::EndOptional
        } else if let Some((name, behind)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            rest = behind;
            match name {
                "type" => Element::Type,
                "types" => Element::Types,
                "name" => Element::Name,
                "names" => Element::Names,
                "region" => Element::Region,
                name => name.strip_suffix('+').map_or(Element::Field(name), Element::List),
            }
        } else {
            let (text, behind) = rest.split_at_checked(token_length(rest)?)?;
            rest = behind;
            if text == " " { Element::Blank } else { Element::Punct(text) }
        };
        Some(element)
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
    use crate::ir::{FieldKind, Results, Syntax, TABLE};

    #[test]
    fn templates_mention_every_field_once() {
        for info in TABLE {
            let Syntax::Regular(template) = info.syntax else { continue };
            let mut named: Vec<_> = elements(template)
                .filter_map(|element| match element {
                    Element::Field(name) | Element::List(name) => Some(name),
                    _ => None,
                })
                .collect();
            let mut declared: Vec<_> = info.fields.iter().map(|field| field.name).collect();
            if info.spelling.is_empty() {
                declared.remove(0);
            }
            named.sort_unstable();
            declared.sort_unstable();
            // Boundaries are a word or an attribute.
            if info.fields.iter().any(|field| matches!(field.kind, FieldKind::Boundaries { .. })) {
                assert_eq!(named.len(), declared.len() + 1, "{}", info.name);
                named.dedup();
            }
            assert_eq!(named, declared, "{}", info.name);
            let count = |wanted| elements(template).filter(|element| *element == wanted).count();
            assert_eq!(count(Element::Type), usize::from(info.results == Results::One), "{}", info.name);
            assert_eq!(count(Element::Types), usize::from(info.results == Results::Many), "{}", info.name);
            assert_eq!(count(Element::Region), info.regions.len(), "{}", info.name);
            assert_eq!(count(Element::Optional), count(Element::EndOptional), "{}", info.name);
        }
    }

    #[test]
    fn at_most_three_instructions_have_functions_of_their_own() {
        let custom = TABLE.iter().filter(|info| info.syntax == Syntax::Custom).map(|info| info.name);
        assert_eq!(custom.collect::<Vec<_>>(), ["Subview", "Expand", "For"]);
    }
}
