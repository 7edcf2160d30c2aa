//! Names that are nearly the same, for "did you mean".

/// Returns whether two names differ in one place: a character more, less or another, or two exchanged. Names of one
/// character and numbers are too much alike to tell.
pub(super) fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let number = |name: &[u8]| name.get(1..).is_some_and(|name| name.iter().all(u8::is_ascii_digit));
    if a.len().min(b.len()) < 3 || number(a) || number(b) {
        return false;
    }
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, a @ ..], b) | (b, [_, a @ ..]) if a == b => true,
        ([p, q, a @ ..], [r, s, b @ ..]) => (p, q) == (s, r) && a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_similar;

    #[test]
    fn one_slip_is_similar() {
        for (a, b) in [("%acc", "%ac"), ("%acc", "%axc"), ("%acc", "%acca"), ("%acc", "%cac"), ("$ab", "$aB")]
        {
            assert!(is_similar(a, b) && is_similar(b, a), "{a} {b}");
        }
        for (a, b) in [("%a", "%b"), ("%12", "%13"), ("%acc", "%bcd"), ("%acc", "%a"), ("%abcd", "%dbca")] {
            assert!(!is_similar(a, b) && !is_similar(b, a), "{a} {b}");
        }
    }
}
