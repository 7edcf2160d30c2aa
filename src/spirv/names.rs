//! The names of values in the module, for those who read it (`OpName`).

use super::function::FunctionLowering;
use super::values::{Extent, Group, Lowered, Memref};
use crate::ir::Value;
use rspirv::spirv::Word;

impl FunctionLowering<'_, '_> {
    /// Names the memory of a parameter.
    pub fn name_parameter(&mut self, value: Value, lowered: &Lowered) {
        if let Some(name) = &self.ir[value].name
            && let Lowered::Memref(Memref { pointer, .. }) | Lowered::Group(Group { pointers: pointer, .. }) =
                lowered
        {
            self.module.name_parameter(*pointer, name);
        }
    }

    /// Sets the counterpart of a value.
    pub fn define(&mut self, value: Value, lowered: Lowered) {
        if self.module.keeps_names
            && let Some(name) = self.ir[value].name.clone()
        {
            for (part, word) in parts(&lowered) {
                self.module.name(word, &format!("{name}{part}"));
            }
        }
        self.values.insert(value, lowered);
    }

    /// Sets the counterparts of values.
    pub fn insert_results(&mut self, results: &[Value], lowered: Vec<Lowered>) {
        for (&result, lowered) in results.iter().zip(lowered) {
            self.define(result, lowered);
        }
    }
}

/// The ids of a value and what to append to its name for each.
fn parts(lowered: &Lowered) -> Vec<(String, Word)> {
    let numbered = |kind: &str, words: &[Word]| -> Vec<(String, Word)> {
        words.iter().enumerate().map(|(i, &word)| (format!(".{kind}{i}"), word)).collect()
    };
    let ids = |extents: &[Extent]| -> Vec<Word> {
        extents.iter().map(|&(Extent::Same(word) | Extent::Table(word))| word).collect()
    };
    let whole = |word: Word| vec![(String::new(), word)];
    match lowered {
        Lowered::Scalar(word) => whole(*word),
        Lowered::Memref(memref) => {
            [whole(memref.pointer), numbered("shape", &memref.shape), numbered("stride", &memref.stride)]
                .concat()
        }
        Lowered::Group(group) => [
            whole(group.pointers),
            numbered("shape", &ids(&group.shape)),
            numbered("stride", &ids(&group.stride)),
            vec![(".size".to_owned(), group.size), (".offset".to_owned(), group.offset)],
        ]
        .concat(),
        Lowered::Matrix(matrix) => numbered("", matrix.ids()),
    }
}
