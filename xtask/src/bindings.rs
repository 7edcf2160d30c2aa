//! Placeholder.
use anyhow::Result;

pub fn renew() -> Result<()> {
    Ok(())
}
