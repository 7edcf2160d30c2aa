pub fn cases() -> Vec<crate::Case> {
    Vec::new()
}
