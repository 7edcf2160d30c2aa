//! Numbered slots, the memory of the [`Ir`](super::Ir).

/// Slots that are reused once freed.
#[derive(Debug)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

/// Content of a slot, and the number of earlier ones.
#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    data: Option<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub fn live(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub fn insert(&mut self, data: T) -> u32 {
        if let Some(index) = self.free.pop()
            && let Some(slot) = self.slots.get_mut(index as usize)
        {
            slot.data = Some(data);
            return index;
        }
        self.slots.push(Slot { generation: 0, data: Some(data) });
        // 2^32 entities are out of reach: each takes more than 16 bytes.
        u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
    }

    pub fn remove(&mut self, index: u32) -> Option<T> {
        let slot = self.slots.get_mut(index as usize)?;
        let data = slot.data.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(index);
        Some(data)
    }

    pub fn generation(&self, index: u32) -> Option<u32> {
        self.slots.get(index as usize).filter(|slot| slot.data.is_some()).map(|slot| slot.generation)
    }

    /// Content of a slot, if it is not free.
    pub fn find_mut(&mut self, index: u32) -> Option<&mut T> {
        self.slots.get_mut(index as usize).and_then(|slot| slot.data.as_mut())
    }

    // A dangling entity is a bug of the compiler that no input can excuse; the C ABI turns the panic
    // into `internal_compiler_error`.
    #[allow(clippy::panic)]
    pub fn get(&self, index: u32) -> &T {
        match self.slots.get(index as usize) {
            Some(Slot { data: Some(data), .. }) => data,
            _ => panic!("dangling entity {index}"),
        }
    }

    #[allow(clippy::panic)]
    pub fn get_mut(&mut self, index: u32) -> &mut T {
        match self.slots.get_mut(index as usize) {
            Some(Slot { data: Some(data), .. }) => data,
            _ => panic!("dangling entity {index}"),
        }
    }
}
