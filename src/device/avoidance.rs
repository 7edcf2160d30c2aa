//! Classes of messages and instructions that kernels do without, because a driver gets them wrong.

use std::fmt;
use std::sync::LazyLock;

use super::features::SpirvFeature;

/// Names the classes that kernels do without: `TILETC_AVOID=block2d_transpose,split_barrier`.
const VARIABLE: &str = "TILETC_AVOID";

macro_rules! avoidances {
    ($($(#[$doc:meta])* $name:ident = $spelling:literal, [$($feature:ident),*];)*) => {
        /// A class of messages or instructions that kernels can do without.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Avoidance {
            $($(#[$doc])* $name,)*
        }

        impl Avoidance {
            /// Every class.
            pub const ALL: &'static [Avoidance] = &[$(Avoidance::$name,)*];

            /// The name in [`VARIABLE`].
            pub const fn spelling(self) -> &'static str {
                match self { $(Avoidance::$name => $spelling,)* }
            }

            /// The features that a device does not have without the class.
            pub const fn features(self) -> &'static [SpirvFeature] {
                match self { $(Avoidance::$name => &[$(SpirvFeature::$feature),*],)* }
            }
        }
    };
}

avoidances! {
    /// Products on the matrix engine.
    MatrixEngine = "matrix_engine", [SubgroupMma, CooperativeMatrix];
    /// The multiply-accumulate of subgroups; cooperative matrices may still reach the engine.
    SubgroupMma = "subgroup_mma", [SubgroupMma];
    /// 2D block messages.
    Block2d = "block2d", [Block2dIo];
    /// 2D block loads that transpose.
    Block2dTranspose = "block2d_transpose", [];
    /// 2D block loads that put neighbouring rows side by side.
    Block2dTransform = "block2d_transform", [];
    /// 2D block stores.
    Block2dStore = "block2d_store", [];
    /// 2D block prefetches.
    Block2dPrefetch = "block2d_prefetch", [];
    /// 1D block messages.
    Block1d = "block1d", [SubgroupBufferBlockIo];
    /// Barriers in two halves.
    SplitBarrier = "split_barrier", [SplitBarrier];
    /// The instruction that rounds f32 to tf32.
    Tf32Rounding = "tf32_rounding", [Tf32Rounding];
    /// Instructions that convert between f32 and bf16.
    Bfloat16Conversion = "bfloat16_conversion", [Bfloat16Conversion];
    /// Atomic additions of f16.
    AtomicFloat16Add = "atomic_float16_add", [AtomicFloat16AddLocal, AtomicFloat16AddGlobal];
    /// The large register file.
    LargeRegisterFile = "large_register_file", [];
}

/// A set of [`Avoidance`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Avoidances(u32);

impl Avoidances {
    /// The set of these classes.
    pub fn of(classes: &[Avoidance]) -> Avoidances {
        Avoidances(classes.iter().fold(0, |bits, &class| bits | 1 << class as u32))
    }

    /// The classes of a list with commas between them.
    ///
    /// # Errors
    /// The first word that is no class.
    pub fn parse(list: &str) -> Result<Avoidances, String> {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        let class = |word: &str| {
            let known = Avoidance::ALL.iter().copied().find(|class| class.spelling() == word);
            known.ok_or_else(|| word.to_owned())
        };
        Ok(Avoidances::of(&words.map(class).collect::<Result<Vec<_>, _>>()?))
    }

    /// The classes of [`VARIABLE`], which is read once; the log tells which words name none.
    pub(super) fn from_environment() -> Avoidances {
        static GIVEN: LazyLock<Avoidances> = LazyLock::new(|| {
            let list = std::env::var_os(VARIABLE).unwrap_or_default();
            let of_word = |word: &str| {
                Avoidances::parse(word).unwrap_or_else(|word| {
                    let known: Vec<&str> = Avoidance::ALL.iter().map(|class| class.spelling()).collect();
                    log::warn!(
                        "{VARIABLE} names `{word}`, which is no class; there are {}",
                        known.join(", ")
                    );
                    Avoidances::default()
                })
            };
            list.to_string_lossy().split(',').map(of_word).fold(Avoidances::default(), Avoidances::and)
        });
        *GIVEN
    }

    /// The classes of both sets.
    pub(super) fn and(self, other: Avoidances) -> Avoidances {
        Avoidances(self.0 | other.0)
    }

    /// Returns whether a class is in the set.
    pub fn contains(self, class: Avoidance) -> bool {
        self.0 & 1 << class as u32 != 0
    }

    /// The classes, in the order of [`Avoidance::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Avoidance> {
        Avoidance::ALL.iter().copied().filter(move |&class| self.contains(class))
    }

    /// Returns whether a device has a feature no more without the classes.
    pub(super) fn cover(self, feature: SpirvFeature) -> bool {
        self.0 != 0 && self.iter().any(|class| class.features().contains(&feature))
    }
}

impl fmt::Display for Avoidances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Avoidance::spelling).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_classes() {
        let set = Avoidances::of(&[Avoidance::Block2d, Avoidance::SplitBarrier]);
        assert_eq!(Avoidances::parse(" split_barrier,block2d,,"), Ok(set));
        assert_eq!(set.to_string(), "block2d, split_barrier");
        assert_eq!(Avoidances::parse(""), Ok(Avoidances::default()));
        assert_eq!(Avoidances::parse("block2d,Block1d"), Err("Block1d".to_owned()));
        for &class in Avoidance::ALL {
            assert_eq!(Avoidances::parse(class.spelling()), Ok(Avoidances::of(&[class])));
        }
    }

    #[test]
    fn features_go_with_their_class() {
        let none = Avoidances::default();
        assert!(SpirvFeature::ALL.iter().all(|&feature| !none.cover(feature)));
        let engine = Avoidances::of(&[Avoidance::MatrixEngine]);
        assert!(engine.cover(SpirvFeature::SubgroupMma) && engine.cover(SpirvFeature::CooperativeMatrix));
        assert!(!engine.cover(SpirvFeature::Block2dIo));
    }
}
