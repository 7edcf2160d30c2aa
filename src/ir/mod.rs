/// Arena of everything in the language.
#[derive(Debug, Default)]
pub struct Ir {}
impl Ir {
    /// Frees the functions of a program that nobody holds any more.
    pub fn remove(&mut self, _program: &Program) {}
}
/// Functions of one source.
#[derive(Clone, Debug, Default)]
pub struct Program {}
