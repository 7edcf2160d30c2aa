/// Why a text was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {}
