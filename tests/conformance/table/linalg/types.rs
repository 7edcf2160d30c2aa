//! The types that the operands of linear algebra may have.

use tiletc::ir::Scalar;

use super::super::features::{Atomic, Need, required};
use super::Update;

/// The types of α, the inputs, β and the output.
#[derive(Clone, Debug)]
pub struct Types {
    pub alpha: Scalar,
    pub inputs: Vec<Scalar>,
    pub beta: Scalar,
    pub output: Scalar,
}

impl Types {
    /// All there are for so many inputs: the inputs' common type is promotable to the output's
    /// (language reference 5.12), α's to the former and β's to the latter. Those of α and β take turns.
    pub fn all(inputs: usize) -> Vec<Types> {
        let mut all = Vec::new();
        let mut push = |inputs: Vec<Scalar>, common: Scalar| {
            for output in Scalar::ALL.iter().copied().filter(|&output| common.promotable_to(output)) {
                let turn = all.len();
                let pick = |to: Scalar| {
                    let fitting: Vec<Scalar> =
                        Scalar::ALL.iter().copied().filter(|from| from.promotable_to(to)).collect();
                    fitting[turn % fitting.len()]
                };
                all.push(Types { alpha: pick(common), inputs: inputs.clone(), beta: pick(output), output });
            }
        };
        for a in Scalar::computable() {
            if inputs == 1 {
                push(vec![a], a);
                continue;
            }
            for b in Scalar::computable() {
                if let Some(common) = a.promote(b) {
                    push(vec![a, b], common);
                }
            }
        }
        all
    }

    pub fn uniform(ty: Scalar, inputs: usize) -> Types {
        Types { alpha: ty, inputs: vec![ty; inputs], beta: ty, output: ty }
    }

    pub fn is_uniform(&self) -> bool {
        self.inputs.iter().all(|&ty| ty == self.output)
    }

    /// The type in which sums are formed: at least as wide as the output.
    pub fn sums(&self) -> Scalar {
        let common = self.inputs.iter().copied().reduce(|a, b| a.promote(b).unwrap_or(b));
        let (common, output) = (common.unwrap_or(self.output).accumulator(), self.output.accumulator());
        common.promote(output).unwrap_or(output)
    }

    /// Requirements of a kernel that updates its output like that.
    pub(super) fn requires(&self, update: Update) -> Vec<Need> {
        let mut all = self.inputs.clone();
        all.extend([self.alpha, self.beta, self.output]);
        let access = match update {
            Update::AtomicAdd => Some(Atomic::Add),
            Update::AtomicOverwrite => Some(Atomic::Move),
            _ => None,
        };
        required(&all, access.map(|access| (self.output, access, false)))
    }
}
