/// What a device is.
#[derive(Clone, Debug)]
pub struct CoreInfo {}
