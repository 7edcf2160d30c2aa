//! The register file of a subgroup: a row holds one number for each lane.
//!
//! Rows have the width of their numbers, so that a loop over lanes becomes vector instructions. Every row
//! lies behind those that it is computed from, because a value is defined before it is used; that lets the
//! file be split into what is read and what is written.

use bytemuck::Pod;
use half::{bf16, f16};

/// A number that fits into a row.
pub(crate) trait Lane: Pod + PartialEq {}

macro_rules! lanes {
    ($($ty:ty),*) => { $(impl Lane for $ty {})* };
}
lanes!(u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64);

/// The operands of a computation: rows, and a number that is the same for all lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Args {
    pub dst: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub immediate: u64,
}

/// Computes a row from others, in all lanes.
pub(crate) type Compute<const S: usize> = fn(&mut Rows<S>, &Args);

/// Finds the lanes in which a computation has no defined result.
pub(crate) type Test<const S: usize> = fn(&Rows<S>, &Args) -> u32;

/// Words of eight bytes.
const WORD: usize = 8;

/// The register file.
#[derive(Clone, Debug)]
pub(crate) struct Rows<const S: usize> {
    words: Vec<u64>,
}

/// The words of a row whose numbers have so many bytes.
pub(crate) const fn row_words<const S: usize>(bytes: usize) -> usize {
    bytes * S / WORD
}

fn read<T: Lane, const S: usize>(words: &[u64], at: u32) -> Option<&[T; S]> {
    let row = words.get(at as usize..)?.get(..row_words::<S>(size_of::<T>()))?;
    bytemuck::cast_slice(row).first_chunk()
}

impl<const S: usize> Rows<S> {
    pub fn new(words: usize) -> Rows<S> {
        Rows { words: vec![0; words] }
    }

    /// The row at a place; zeros where there is none.
    #[inline(always)]
    pub fn get<T: Lane>(&self, at: u32) -> [T; S] {
        read(&self.words, at).copied().unwrap_or([T::zeroed(); S])
    }

    /// One number of a row.
    #[inline(always)]
    pub fn lane<T: Lane>(&self, at: u32, lane: usize) -> T {
        let row: Option<&[T; S]> = read(&self.words, at);
        row.and_then(|row| row.get(lane)).copied().unwrap_or(T::zeroed())
    }

    #[inline(always)]
    pub fn get_mut<T: Lane>(&mut self, at: u32) -> Option<&mut [T; S]> {
        let row = self.words.get_mut(at as usize..)?.get_mut(..row_words::<S>(size_of::<T>()))?;
        bytemuck::cast_slice_mut(row).first_chunk_mut()
    }

    /// Sets all lanes of a row.
    pub fn fill<T: Lane>(&mut self, at: u32, value: T) {
        if let Some(row) = self.get_mut(at) {
            *row = [value; S];
        }
    }

    /// The rows below one, and that one.
    #[inline(always)]
    fn split<R: Lane>(&mut self, at: u32) -> Option<(&[u64], &mut [R; S])> {
        let (low, high) = self.words.split_at_mut_checked(at as usize)?;
        let row = high.get_mut(..row_words::<S>(size_of::<R>()))?;
        Some((low, bytemuck::cast_slice_mut(row).first_chunk_mut()?))
    }

    #[inline(always)]
    pub fn unary<T: Lane, R: Lane>(&mut self, args: &Args, f: impl Fn(T) -> R) {
        if let Some((low, dst)) = self.split(args.dst)
            && let Some(a) = read::<T, S>(low, args.a)
        {
            for (dst, &a) in dst.iter_mut().zip(a) {
                *dst = f(a);
            }
        }
    }

    #[inline(always)]
    pub fn binary<T: Lane, U: Lane, R: Lane>(&mut self, args: &Args, f: impl Fn(T, U) -> R) {
        if let Some((low, dst)) = self.split(args.dst)
            && let Some(a) = read::<T, S>(low, args.a)
            && let Some(b) = read::<U, S>(low, args.b)
        {
            for ((dst, &a), &b) in dst.iter_mut().zip(a).zip(b) {
                *dst = f(a, b);
            }
        }
    }

    #[inline(always)]
    pub fn ternary<T: Lane, U: Lane, V: Lane, R: Lane>(&mut self, args: &Args, f: impl Fn(T, U, V) -> R) {
        if let Some((low, dst)) = self.split(args.dst)
            && let Some(a) = read::<T, S>(low, args.a)
            && let Some(b) = read::<U, S>(low, args.b)
            && let Some(c) = read::<V, S>(low, args.c)
        {
            for (((dst, &a), &b), &c) in dst.iter_mut().zip(a).zip(b).zip(c) {
                *dst = f(a, b, c);
            }
        }
    }

    /// A row from a whole other one.
    #[inline(always)]
    pub fn across<T: Lane, R: Lane>(&mut self, args: &Args, f: impl FnOnce(&[T; S]) -> [R; S]) {
        if let Some((low, dst)) = self.split(args.dst)
            && let Some(a) = read::<T, S>(low, args.a)
        {
            *dst = f(a);
        }
    }

    /// Copies the lanes of a mask from one row of so many words to another.
    #[inline(always)]
    pub fn blend(&mut self, dst: u32, src: u32, bytes: u32, mask: u32) {
        match bytes {
            1 => self.blend_as::<u8>(dst, src, mask),
            2 => self.blend_as::<u16>(dst, src, mask),
            4 => self.blend_as::<u32>(dst, src, mask),
            _ => self.blend_as::<u64>(dst, src, mask),
        }
    }

    fn blend_as<T: Lane>(&mut self, dst: u32, src: u32, mask: u32) {
        let src: [T; S] = self.get(src);
        if let Some(dst) = self.get_mut::<T>(dst) {
            for (lane, (dst, src)) in dst.iter_mut().zip(src).enumerate() {
                *dst = if mask >> lane & 1 == 1 { src } else { *dst };
            }
        }
    }

    /// Copies a whole row.
    #[inline(always)]
    pub fn copy(&mut self, dst: u32, src: u32, bytes: u32) {
        let (dst, src, words) = (dst as usize, src as usize, row_words::<S>(bytes as usize));
        if src + words <= self.words.len() && dst + words <= self.words.len() {
            self.words.copy_within(src..src + words, dst);
        }
    }
}

/// The lanes for which something holds.
#[inline(always)]
pub(crate) fn lanes_where<const S: usize>(f: impl Fn(usize) -> bool) -> u32 {
    (0..S).fold(0, |mask, lane| mask | u32::from(f(lane)) << lane)
}

impl<const S: usize> Rows<S> {
    /// The bits of one number of so many bytes.
    pub fn bits(&self, at: u32, bytes: u32, lane: usize) -> u64 {
        match bytes {
            1 => self.lane::<u8>(at, lane).into(),
            2 => self.lane::<u16>(at, lane).into(),
            4 => self.lane::<u32>(at, lane).into(),
            _ => self.lane::<u64>(at, lane),
        }
    }

    /// Sets one number of so many bytes.
    pub fn set_bits(&mut self, at: u32, bytes: u32, lane: usize, bits: u64) {
        match bytes {
            1 => self.set_lane(at, lane, bits as u8),
            2 => self.set_lane(at, lane, bits as u16),
            4 => self.set_lane(at, lane, bits as u32),
            _ => self.set_lane(at, lane, bits),
        }
    }

    fn set_lane<T: Lane>(&mut self, at: u32, lane: usize, value: T) {
        if let Some(place) = self.get_mut::<T>(at).and_then(|row| row.get_mut(lane)) {
            *place = value;
        }
    }

    /// Sets all lanes of a row of so many bytes.
    pub fn fill_bits(&mut self, at: u32, bytes: u32, bits: u64) {
        match bytes {
            1 => self.fill(at, bits as u8),
            2 => self.fill(at, bits as u16),
            4 => self.fill(at, bits as u32),
            _ => self.fill(at, bits),
        }
    }
}
