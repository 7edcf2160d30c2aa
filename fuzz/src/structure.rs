//! Changes of texts that know types, views and attributes: what slips of tokens seldom hit, since a shape is
//! one token, and a program whose types do not fit together gets no further than the verifier.

use crate::Random;
use crate::tokens::{NUMBERS, tokens};
use std::ops::Range;
use tiletc::ir::{
    AllocaAttributes, AttributeSet as _, CoopmatrixLoadAttributes, ForAttributes, FunctionAttributes, Info,
    ParameterAttributes, Scalar, TABLE, TileDotAttributes, TileLoadAttributes, TileOrderAttributes,
};

/// Sizes and steps at which something changes besides those of [`NUMBERS`].
const SIZES: &[&str] =
    &["0", "1", "5", "9", "40", "48", "56", "96", "100", "256", "4096", "65536", "8000000000", "?"];

/// Words that attributes take.
const WORDS: &[&str] = &[
    "auto",
    "prefetch",
    "none",
    "slm",
    "split",
    "full",
    "block_2d",
    "block_1d",
    "lanes",
    "as_written",
    "transposed",
    "ieee",
    "tf32",
    "bf16x3",
    "zero",
    "wrap",
    "unchecked",
    "undefined",
    "",
];

/// A text in which a type, a list or an attribute is another one.
pub fn change(text: &[u8], random: &mut Random) -> Vec<u8> {
    let changed = match random.below(8) {
        0 => token_everywhere(text, random),
        1 | 2 => shape(text, random),
        3 => types(text, random),
        4 | 5 => list(text, random),
        _ => attribute(text, random),
    };
    changed.unwrap_or_else(|| text.to_vec())
}

/// A number or a type of numbers becomes another one wherever it stands, so that what fitted together does.
fn token_everywhere(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let tokens = tokens(text);
    let is_number = |token: &&[u8]| token.first().is_some_and(u8::is_ascii_digit);
    let candidates: Vec<&[u8]> =
        tokens.iter().copied().filter(|token| is_number(token) || scalar_of(token).is_some()).collect();
    let chosen = *random.one_of(&candidates)?;
    if is_number(&chosen) {
        let (from, to) = (chosen, size(random).as_bytes());
        let replace = |token: &[u8]| match Shape::of(token) {
            Some(mut shape) => {
                shape.modes.iter_mut().filter(|mode| **mode == from).for_each(|mode| *mode = to);
                shape.text()
            }
            None => if token == from { to } else { token }.to_vec(),
        };
        return Some(tokens.into_iter().flat_map(replace).collect());
    }
    let (from, to) = (scalar_of(chosen)?, random.one_of(Scalar::ALL)?.spelling());
    let replace = |token: &[u8]| match Shape::of(token).filter(|shape| shape.scalar == from) {
        Some(shape) => Shape { scalar: to, ..shape }.text(),
        None => if token == from.as_bytes() { to.as_bytes() } else { token }.to_vec(),
    };
    Some(tokens.into_iter().flat_map(replace).collect())
}

/// The type of numbers that a token is or begins with.
fn scalar_of(token: &[u8]) -> Option<&'static str> {
    let word = token.split(|&byte| byte == b'x').next()?;
    Scalar::ALL.iter().map(|scalar| scalar.spelling()).find(|spelling| spelling.as_bytes() == word)
}

/// The shape in a type, such as `f32x16x?`; the tokens of an unknown size are not part of it.
struct Shape<'a> {
    scalar: &'static str,
    modes: Vec<&'a [u8]>,
}

impl<'a> Shape<'a> {
    fn of(token: &'a [u8]) -> Option<Shape<'a>> {
        let modes: Vec<&[u8]> = token.split(|&byte| byte == b'x').skip(1).collect();
        Some(Shape { scalar: scalar_of(token)?, modes }).filter(|shape| !shape.modes.is_empty())
    }

    fn text(&self) -> Vec<u8> {
        let modes = self.modes.iter().flat_map(|mode| [b"x", *mode].concat());
        self.scalar.bytes().chain(modes).collect()
    }
}

/// A shape gets another size, a mode more or one less, here or in all types of that shape.
fn shape(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let tokens = tokens(text);
    let shapes: Vec<&[u8]> = tokens.iter().copied().filter(|token| Shape::of(token).is_some()).collect();
    let chosen = *random.one_of(&shapes)?;
    let mut shape = Shape::of(chosen)?;
    let at = random.below(shape.modes.len());
    match random.below(8) {
        0 => shape.modes.insert(random.below(shape.modes.len() + 1), size(random).as_bytes()),
        1 => drop(shape.modes.remove(at)),
        2 => shape.modes.reverse(),
        _ => *shape.modes.get_mut(at)? = size(random).as_bytes(),
    }
    let changed = shape.text();
    let all = random.one_in(2);
    let mut left = if all { usize::MAX } else { 1 };
    let replace = |token: &[u8]| {
        if token != chosen || left == 0 {
            return token.to_vec();
        }
        left -= 1;
        changed.clone()
    };
    Some(tokens.into_iter().flat_map(replace).collect())
}

fn size(random: &mut Random) -> &'static str {
    let from = if random.one_in(3) { NUMBERS } else { SIZES };
    random.one_of(from).copied().unwrap_or("1")
}

/// Places between brackets, outermost ones and those within, in the order of their ends.
fn bracketed(text: &[u8], open: u8, close: u8) -> Vec<Range<usize>> {
    let (mut begins, mut found) = (Vec::new(), Vec::new());
    for (at, &byte) in text.iter().enumerate() {
        if byte == open {
            begins.push(at + 1);
        } else if byte == close
            && let Some(begin) = begins.pop()
        {
            found.push(begin..at);
        }
    }
    found
}

/// The text with other bytes in a place.
fn replaced(text: &[u8], place: &Range<usize>, by: &[u8]) -> Option<Vec<u8>> {
    Some([text.get(..place.start)?, by, text.get(place.end..)?].concat())
}

/// A type becomes another one of the text.
fn types(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let places = bracketed(text, b'<', b'>');
    let (place, other) = (random.one_of(&places)?, random.one_of(&places)?);
    replaced(text, place, text.get(other.clone())?)
}

/// The offsets, sizes and strides of a view, indices, operands, or sizes of tiles: an entry more, one less,
/// or another one.
fn list(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let (open, close) = *random.one_of(&[(b'[', b']'), (b'[', b']'), (b'(', b')'), (b'<', b'>')])?;
    let places = bracketed(text, open, close);
    let place = random.one_of(&places)?;
    let mut entries: Vec<&[u8]> = text.get(place.clone())?.split(|&byte| byte == b',').collect();
    let values: Vec<&[u8]> = tokens(text).into_iter().filter(|token| token.starts_with(b"%")).collect();
    let (at, from) = (random.below(entries.len()), random.below(entries.len()));
    let number = size(random);
    let other = match random.below(5) {
        0 => random.one_of(&values).map_or(Vec::new(), |value| value.to_vec()),
        1 => format!("{number}:{}", size(random)).into_bytes(),
        2 => format!("{}:", String::from_utf8_lossy(entries.get(at)?)).into_bytes(),
        _ => number.as_bytes().to_vec(),
    };
    match random.below(6) {
        0 => drop(entries.remove(at)),
        1 => entries.insert(at, entries.get(from)?),
        2 => entries.swap(at, from),
        3 => entries.insert(at, &other),
        _ => *entries.get_mut(at)? = &other,
    }
    replaced(text, place, &entries.join(&b","[..]))
}

/// An attribute that means something, with any value, where attributes stand or may stand.
fn attribute(text: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let of_instructions: Vec<&str> = TABLE.iter().flat_map(Info::attributes).copied().collect();
    let all = [FunctionAttributes::NAMES, ParameterAttributes::NAMES, &of_instructions];
    let before = |word: &'static [u8]| ends(text, word).map(|end| end - word.len()).collect();
    let (at, names, is_function): (Vec<usize>, &[&str], bool) = match random.below(9) {
        0 => (ends_of_heads(text), FunctionAttributes::NAMES, true),
        1 => {
            let places = ends(text, b"> ").chain(ends(text, b">,").map(|end| end - 1));
            (places.collect(), ParameterAttributes::NAMES, false)
        }
        2 => (ends(text, b"\n    }").collect(), ForAttributes::NAMES, true),
        3 => (ends(text, b"alloca").collect(), AllocaAttributes::NAMES, false),
        4 => (before(b" -> (index"), TileOrderAttributes::NAMES, false),
        5 => (before(b" : tile<"), TileLoadAttributes::NAMES, false),
        6 => (before(b" : tile<"), TileDotAttributes::NAMES, false),
        7 => (before(b" : coopmatrix<"), CoopmatrixLoadAttributes::NAMES, false),
        _ => (Vec::new(), random.one_of(&all)?, false),
    };
    let name = *random.one_of(names)?;
    // What is of the wrong type gets no further than the parser.
    let content = if random.one_in(6) { value(random, 2) } else { fitting(name, random) };
    let entry = format!("\"{name}\"={content}");
    // Into a dictionary that is there, mostly in place of its first entry.
    if at.is_empty() || random.one_in(3) {
        let is_dictionary = |place: &Range<usize>| {
            let inside = text.get(place.clone()).unwrap_or_default();
            inside.len() < 200 && inside.contains(&b'=') && !inside.contains(&b'%')
        };
        let places: Vec<Range<usize>> =
            bracketed(text, b'{', b'}').into_iter().filter(is_dictionary).collect();
        if let Some(place) = random.one_of(&places) {
            let place = if random.one_in(2) { place.start..place.start } else { place.clone() };
            let entry = if place.is_empty() { entry + "," } else { entry };
            return replaced(text, &place, entry.as_bytes());
        }
    }
    let at = *random.one_of(&at)?;
    let word = if is_function { " attributes" } else { " " };
    replaced(text, &(at..at), format!("{word}{{{entry}}} ").as_bytes())
}

/// The places behind the parameters of functions.
fn ends_of_heads(text: &[u8]) -> Vec<usize> {
    let parameters = bracketed(text, b'(', b')');
    let behind = |place: &Range<usize>| text.get(place.end + 1..).unwrap_or_default().trim_ascii_start();
    let is_head =
        |place: &&Range<usize>| behind(place).starts_with(b"{") || behind(place).starts_with(b"attributes");
    parameters.iter().filter(is_head).map(|place| place.end + 1).collect()
}

/// The places behind a word.
fn ends<'a>(text: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let length = word.len();
    text.windows(length)
        .enumerate()
        .filter(move |(_, window)| *window == word)
        .map(move |(at, _)| at + length)
}

/// A value of the type of an attribute, which may be out of range.
fn fitting(name: &str, random: &mut Random) -> String {
    let words: &[&str] = match name {
        "work_group_size" | "register_block" | "shape_gcd" | "stride_gcd" => {
            return format!("[{},{}]", size(random), size(random));
        }
        "surface" | "unroll" | "undefined_outside" => return random.one_in(2).to_string(),
        "grf_size" => &["128", "256"],
        "unit_stride" => &["0", "1"],
        "pipeline" => &["\"auto\"", "\"prefetch\"", "\"none\"", "\"slm\""],
        "sync" => &["\"auto\"", "\"none\"", "\"split\"", "\"full\""],
        "io_class" => &["\"block_2d\"", "\"block_1d\"", "\"lanes\""],
        "orientation" => &["\"as_written\"", "\"transposed\""],
        "order" => &["\"any\"", "\"linear_n\"", "\"panel_m\"", "\"hilbert\""],
        "precision" => &["\"ieee\"", "\"tf32\"", "\"bf16x3\""],
        "grid" => &["[]", "[1,2]", "[cdiv(%0[0],64),%1]", "[\"mul(%A[1],%n)\",3]", "[add(1,2),-1]", "[%]"],
        "boundary" => &[
            "[\"zero\",\"wrap\"]",
            "[\"wrap\",\"wrap\"]",
            "[\"unchecked\",\"zero\"]",
            "[\"undefined\",\"zero\"]",
        ],
        _ => return size(random).to_owned(),
    };
    random.one_of(words).copied().unwrap_or_default().to_owned()
}

/// A value of an attribute: numbers at the limits, words that are known or not, and lists and dictionaries of
/// them.
fn value(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => random.one_in(2).to_string(),
        1 => format!("\"{}\"", random.one_of(WORDS).copied().unwrap_or_default()),
        2..6 => size(random).to_owned(),
        6 => format!("{{\"k\"={}}}", value(random, depth - 1)),
        _ => {
            let entries: Vec<String> = (0..random.below(4)).map(|_| value(random, depth - 1)).collect();
            format!("[{}]", entries.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::change;
    use crate::Random;
    use crate::session::Session;
    use tiletc::ir::{AttributeSet as _, FunctionAttributes, Info, TABLE};

    const TEXT: &[u8] = b"func @f(%A: memref<f32x40x40> {\"alignment\"=64}, %n: index) {
    %o = constant 0 : index
    %s = constant 8 : index
    %z = constant 0.0 : tile<f32x16x8,matrix_acc>
    %v = subview %A[0:40,0:9] : memref<f32x40x9,strided<1,40>>
    %r = for %k=%o,%n,%s init(%c=%z) -> (tile<f32x16x8,matrix_acc>) {
        %a = tile_load %v[%o,%k] : tile<f32x16x8,matrix_a>
        %b = tile_load %A[%k,%o] : tile<f32x8x8,matrix_b>
        %d = tile_dot %a, %b, %c : tile<f32x16x8,matrix_acc>
        yield (%d)
    }
    tile_store %r, %A[%o,%o]
}
";

    #[test]
    fn types_views_and_attributes_are_changed() {
        let changed: Vec<Vec<u8>> = (0..5000).map(|seed| change(TEXT, &mut Random::new(seed))).collect();
        let is_made = |part: &str| {
            changed.iter().any(|text| text.windows(part.len()).any(|window| window == part.as_bytes()))
        };
        for part in [
            "x8000000000,matrix_",
            "subview %A[0:40]",
            "tile_load %A[%o]",
            "strided<1>",
            "memref<f64x40x40>",
            "memref<f32x40x40x",
            "} attributes{\"num_stages\"=",
            "tile_dot %a, %b, %c {\"",
        ] {
            assert!(is_made(part), "{part}");
        }
        for name in FunctionAttributes::NAMES.iter().chain(TABLE.iter().flat_map(Info::attributes)) {
            assert!(is_made(&format!("\"{name}\"=")), "{name}");
        }
        let read = changed.iter().filter(|text| Session::parse("fuzz", text).is_ok()).count();
        assert!(4 * read > changed.len(), "{read} of {} are programs", changed.len());
    }
}
