//! Arguments of callers: pointers and handles.
//!
//! Entry points take these types in place of raw pointers. They can only come from a caller on the other side
//! of the C interface, who vouches for them as Level Zero asks: a pointer that is not null points to a value, or
//! to as many as the argument beside it says, that nobody else uses until the call returns. This is the one
//! place where such pointers are followed.
use crate::objects::Object;
use crate::status::{Outcome, refuse};
use level_zero_sys::*;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::sync::Arc;

/// A handle of an object: a number where C has a pointer.
#[repr(transparent)]
pub struct Handle<T>(usize, PhantomData<fn() -> T>);

/// A pointer to values that are read.
#[repr(transparent)]
pub struct In<T>(*const T);

/// A pointer to values that are written.
#[repr(transparent)]
pub struct Out<T>(*mut T);

/// A pointer to a chain of structures, each of which starts with its type and a pointer to the next.
#[derive(Clone, Copy)]
pub struct Chain(*const c_void);

/// A structure of a chain.
pub(crate) struct Link {
    place: *mut ze_base_properties_t,
    stype: ze_structure_type_t,
    next: *const c_void,
}

macro_rules! copied {
    ($($name:ident),*) => { $(
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<T> {}
    )* };
}
copied!(Handle, In, Out);

impl<T> Handle<T> {
    /// Handle of nothing.
    pub(crate) const NULL: Handle<T> = Handle(0, PhantomData);

    pub(crate) fn new(number: usize) -> Handle<T> {
        Handle(number, PhantomData)
    }

    pub(crate) fn number(self) -> usize {
        self.0
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl<T: Object> Handle<T> {
    /// The object.
    pub(crate) fn get(self) -> Outcome<Arc<T>> {
        crate::objects::get(self)
    }
}

impl<T> In<T> {
    /// Pointer to nothing.
    pub(crate) const NULL: In<T> = In(std::ptr::null());

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn address(self) -> *const T {
        self.0
    }

    /// Target of the pointer; an error if there is none.
    pub(crate) fn get<'a>(self) -> Outcome<&'a T> {
        // SAFETY: the caller vouches for a pointer that is not null, until the call returns.
        unsafe { self.0.as_ref() }.ok_or(ZE_RESULT_ERROR_INVALID_NULL_POINTER.into())
    }

    /// So many values; an error if there is nothing where there should be some.
    pub(crate) fn slice<'a>(self, count: usize) -> Outcome<&'a [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return refuse(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the caller vouches for so many values behind a pointer that is not null.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }
}

impl<T> From<*const T> for In<T> {
    /// A pointer out of a structure that the caller has handed in, who vouches for it likewise.
    fn from(pointer: *const T) -> In<T> {
        In(pointer)
    }
}

impl In<c_char> {
    /// A text; an error if there is none or it is no UTF-8.
    pub(crate) fn text<'a>(self) -> Outcome<&'a str> {
        self.get()?;
        // SAFETY: the caller vouches for a text that ends with a zero.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map_err(|_| ZE_RESULT_ERROR_INVALID_ARGUMENT.into())
    }
}

impl<T> Out<T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Target of the pointer; an error if there is none.
    pub(crate) fn get<'a>(self) -> Outcome<&'a mut T> {
        // SAFETY: the caller vouches for a pointer that is not null, until the call returns.
        unsafe { self.0.as_mut() }.ok_or(ZE_RESULT_ERROR_INVALID_NULL_POINTER.into())
    }

    /// Stores a value; an error if there is no place for it.
    pub(crate) fn set(self, value: T) -> Outcome {
        *self.get()? = value;
        Ok(())
    }

    /// So many values.
    pub(crate) fn slice<'a>(self, count: usize) -> Outcome<&'a mut [T]> {
        if count == 0 {
            return Ok(&mut []);
        }
        if self.0.is_null() {
            return refuse(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the caller vouches for so many values behind a pointer that is not null.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0, count) })
    }
}

/// Tells a caller of so many things that there are. If the caller has no place for them yet, it learns how many
/// there are; else as many as there is place for are filled in, and it learns how many these are.
pub(crate) fn list<T>(
    count: Out<u32>,
    places: Out<T>,
    available: usize,
    mut fill: impl FnMut(usize, &mut T),
) -> Outcome {
    let count = count.get()?;
    let available_count = u32::try_from(available).unwrap_or(u32::MAX);
    if *count == 0 || places.is_null() {
        *count = available_count;
        return Ok(());
    }
    *count = available_count.min(*count);
    for (index, place) in places.slice(*count as usize)?.iter_mut().enumerate() {
        fill(index, place);
    }
    Ok(())
}

/// Bytes for a caller, who asks for their number first.
pub(crate) fn bytes(size: Out<usize>, place: Out<u8>, bytes: &[u8]) -> Outcome {
    let size = size.get()?;
    if place.is_null() {
        *size = bytes.len();
        return Ok(());
    }
    if *size < bytes.len() {
        return refuse(ZE_RESULT_ERROR_INVALID_SIZE);
    }
    *size = bytes.len();
    place.slice(bytes.len())?.copy_from_slice(bytes);
    Ok(())
}

impl Chain {
    pub(crate) fn new(first: *const c_void) -> Chain {
        Chain(first)
    }

    /// The structure of a type, if the chain has one.
    pub(crate) fn find<'a, T>(self, stype: ze_structure_type_t) -> Option<&'a mut T> {
        self.links().find_map(|link| link.get(stype))
    }

    /// The structures one after the other.
    pub(crate) fn links(self) -> impl Iterator<Item = Link> {
        let link = |place: *const c_void| {
            let base = place.cast_mut().cast::<ze_base_properties_t>();
            // SAFETY: the caller vouches for a chain whose structures start like this one.
            let next = unsafe { base.as_ref() }?;
            Some(Link { place: base, stype: next.stype, next: next.pNext })
        };
        std::iter::successors(link(self.0), move |last| link(last.next))
    }
}

impl Link {
    /// The structure, if it is of a type.
    pub(crate) fn get<'a, T>(&self, stype: ze_structure_type_t) -> Option<&'a mut T> {
        // SAFETY: the type says which structure it is; the caller may hand in constant ones only where they are
        // only read.
        if self.stype == stype { unsafe { self.place.cast::<T>().as_mut() } } else { None }
    }
}

/// The bytes of a text with room for so many, the last of which is zero.
pub(crate) fn fill_text(place: &mut [c_char], text: &str) {
    let most = place.len().saturating_sub(1);
    place.fill(0);
    for (to, from) in place.iter_mut().zip(text.bytes().take(most)) {
        *to = from as c_char;
    }
}

impl<T> From<&mut T> for Out<T> {
    /// A place of our own.
    fn from(place: &mut T) -> Out<T> {
        Out(place)
    }
}
