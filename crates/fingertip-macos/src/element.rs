//! An element of an application, and what can be asked of it.
//!
//! Every method is one message to the application, which blocks until it is answered or the messaging timeout of the process
//! is over ([`set_patience`]). Two elements are equal when the system says that they are the same (CFEqual); the pointer says
//! nothing, as each answer has references of its own.
//!
//! Rules of ownership, kept here and nowhere else: what a `Copy` or `Create` function stores is taken over exactly once; what
//! an array or a callback lends is retained.
#![allow(unsafe_code, reason = "the wrapper around AXUIElement")]

use std::fmt;
use std::ptr::NonNull;
use std::time::Duration;

use fingertip_core::Point;

use crate::bindings::ax::{AXCopyMultipleAttributeOptions, AXUIElement, AXValue, AXValueType};
use crate::bindings::cf::{
    CFArray, CFBoolean, CFNumber, CFRetained, CFString, CFType, CGPoint, CGSize, Type,
};
use crate::failure::{Answer, Failure, check};
use crate::value::{self, Listed, Value};

/// The most actions of an element that are read.
const MOST_ACTIONS: usize = 64;

/// An element of an application, of the system, or an application itself.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Element(CFRetained<AXUIElement>);

// SAFETY: an element is an immutable token (a process and a number); Core Foundation counts references atomically.
unsafe impl Send for Element {}
// SAFETY: as above.
unsafe impl Sync for Element {}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Element({:p})", &raw const *self.0)
    }
}

/// The names of attributes that are asked for together, made once.
pub(crate) struct Batch {
    names: CFRetained<CFArray<CFString>>,
    length: usize,
}

// SAFETY: an immutable array of immutable strings, counted atomically.
unsafe impl Send for Batch {}
// SAFETY: as above.
unsafe impl Sync for Batch {}

impl Batch {
    /// The batch of these attributes.
    pub(crate) fn new(names: &[&'static str]) -> Self {
        let strings: Vec<_> = names.iter().map(|name| CFString::from_static_str(name)).collect();
        Self { names: CFArray::from_retained_objects(&strings), length: names.len() }
    }
}

/// The answer to a batch, read attribute by attribute: an attribute that is not used is not copied.
pub(crate) struct Answers(CFRetained<CFArray<CFType>>);

impl Answers {
    /// The value at this position of the batch.
    pub(crate) fn value(&self, position: usize) -> Answer<Value> {
        self.object(position).map_or(Err(Failure::NoValue), |object| value::read(&object))
    }

    /// How many characters the text there has, without reading it.
    pub(crate) fn length(&self, position: usize) -> Option<u32> {
        value::length(&*self.object(position)?)
    }

    fn object(&self, position: usize) -> Option<CFRetained<CFType>> {
        self.0.get(position)
    }
}

/// What an attribute can be set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Setting<'a> {
    Text(&'a str),
    Bool(bool),
    Number(f64),
    Point(f64, f64),
    Size(f64, f64),
    Elements(&'a [Element]),
}

/// Takes over the reference that a `Copy` function stored.
///
/// # Safety
/// The slot is null or holds a reference that no other code releases.
unsafe fn take<T: Type>(slot: *const T) -> Option<CFRetained<T>> {
    // SAFETY: the caller's duty.
    NonNull::new(slot.cast_mut()).map(|stored| unsafe { CFRetained::from_raw(stored) })
}

impl Element {
    /// The application of this process. No message is sent.
    pub(crate) fn application(pid: i32) -> Self {
        // SAFETY: any number is a valid argument.
        Self(unsafe { AXUIElement::new_application(pid) })
    }

    /// The element that stands for the whole system.
    pub(crate) fn system_wide() -> Self {
        // SAFETY: no arguments.
        Self(unsafe { AXUIElement::new_system_wide() })
    }

    /// A lent element.
    pub(crate) fn of(lent: &AXUIElement) -> Self {
        Self(lent.retain())
    }

    /// The reference itself, for the observer.
    pub(crate) fn reference(&self) -> &AXUIElement {
        &self.0
    }

    /// One attribute.
    pub(crate) fn get(&self, name: &'static str) -> Answer<Value> {
        let mut slot: *const CFType = std::ptr::null();
        // SAFETY: the slot is valid for the call.
        check(unsafe {
            self.0.copy_attribute_value(&CFString::from_static_str(name), NonNull::from(&mut slot))
        })?;
        // SAFETY: a Copy function that succeeded stored a reference for us.
        let object = unsafe { take(slot) }.ok_or(Failure::NoValue)?;
        value::read(&object)
    }

    /// Many attributes in one message. What cannot be read is an error in its own place.
    pub(crate) fn get_all(&self, batch: &Batch) -> Answer<Answers> {
        let mut slot: *const CFArray = std::ptr::null();
        // SAFETY: the slot is valid for the call; the names are strings.
        check(unsafe {
            self.0.copy_multiple_attribute_values(
                batch.names.as_opaque(),
                AXCopyMultipleAttributeOptions(0),
                NonNull::from(&mut slot),
            )
        })?;
        // SAFETY: a Copy function that succeeded stored a reference for us.
        let answers = unsafe { take(slot) }.ok_or(Failure::NoValue)?;
        // SAFETY: the answer is an array of Core Foundation objects, whatever their types.
        let answers = unsafe { CFRetained::cast_unchecked::<CFArray<CFType>>(answers) };
        // Fewer answers than questions could not be matched with them.
        if answers.len() == batch.length { Ok(Answers(answers)) } else { Err(Failure::NoValue) }
    }

    /// How many elements an attribute holds. They are not built for that.
    pub(crate) fn count(&self, name: &'static str) -> Answer<usize> {
        let mut count = 0;
        // SAFETY: the count is valid for the call.
        check(unsafe {
            self.0.attribute_value_count(&CFString::from_static_str(name), NonNull::from(&mut count))
        })?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Some of the elements that an attribute holds.
    pub(crate) fn range(&self, name: &'static str, from: usize, most: usize) -> Answer<Vec<Self>> {
        let [from, most] = [from, most].map(|number| isize::try_from(number).unwrap_or(isize::MAX));
        let mut slot: *const CFArray = std::ptr::null();
        // SAFETY: the slot is valid for the call.
        check(unsafe {
            let name = CFString::from_static_str(name);
            self.0.copy_attribute_values(&name, from, most, NonNull::from(&mut slot))
        })?;
        // SAFETY: a Copy function that succeeded stored a reference for us.
        let list: CFRetained<CFArray> = unsafe { take(slot) }.ok_or(Failure::NoValue)?;
        let Listed { elements, .. } = value::listed(&list);
        Ok(elements)
    }

    /// Sets an attribute.
    pub(crate) fn set(&self, name: &'static str, to: Setting<'_>) -> Answer<()> {
        match to {
            Setting::Text(text) => self.set_object(name, &CFString::from_str(text)),
            Setting::Bool(flag) => self.set_object(name, CFBoolean::new(flag)),
            Setting::Number(number) => self.set_object(name, &CFNumber::new_f64(number)),
            Setting::Point(x, y) => {
                self.set_structure(name, AXValueType::CGPoint, NonNull::from(&mut CGPoint { x, y }).cast())
            }
            Setting::Size(width, height) => {
                let mut size = CGSize { width, height };
                self.set_structure(name, AXValueType::CGSize, NonNull::from(&mut size).cast())
            }
            Setting::Elements(elements) => {
                let references: Vec<&AXUIElement> = elements.iter().map(|element| &*element.0).collect();
                let list = CFArray::from_objects(&references);
                self.set_object(name, list.as_opaque())
            }
        }
    }

    /// Sets an attribute to a struct; the pointer is to one of this kind.
    fn set_structure(
        &self,
        name: &'static str,
        kind: AXValueType,
        structure: NonNull<std::ffi::c_void>,
    ) -> Answer<()> {
        // SAFETY: both callers hand over a pointer to a struct of this kind, which lives through the call.
        let value = unsafe { AXValue::new(kind, structure) }.ok_or(Failure::NoValue)?;
        self.set_object(name, &value)
    }

    fn set_object(&self, name: &'static str, object: &CFType) -> Answer<()> {
        // SAFETY: both arguments live through the call.
        check(unsafe { self.0.set_attribute_value(&CFString::from_static_str(name), object) })
    }

    /// Whether an attribute can be set.
    pub(crate) fn is_settable(&self, name: &'static str) -> Answer<bool> {
        let mut settable = 0;
        // SAFETY: the flag is valid for the call.
        check(unsafe {
            self.0.is_attribute_settable(&CFString::from_static_str(name), NonNull::from(&mut settable))
        })?;
        Ok(settable != 0)
    }

    /// Does one of its actions.
    pub(crate) fn perform(&self, action: &str) -> Answer<()> {
        // SAFETY: the argument lives through the call.
        check(unsafe { self.0.perform_action(&CFString::from_str(action)) })
    }

    /// The names of its actions.
    pub(crate) fn actions(&self) -> Answer<Vec<Box<str>>> {
        let mut slot: *const CFArray = std::ptr::null();
        // SAFETY: the slot is valid for the call.
        check(unsafe { self.0.copy_action_names(NonNull::from(&mut slot)) })?;
        // SAFETY: a Copy function that succeeded stored a reference for us.
        let list: CFRetained<CFArray> = unsafe { take(slot) }.ok_or(Failure::NoValue)?;
        Ok(value::texts(&list, MOST_ACTIONS))
    }

    /// The element that is shown at a place, asked of the system or of one application.
    pub(crate) fn at(&self, place: Point) -> Answer<Self> {
        let mut slot: *const AXUIElement = std::ptr::null();
        // SAFETY: the slot is valid for the call.
        check(unsafe {
            self.0.copy_element_at_position(place.x as f32, place.y as f32, NonNull::from(&mut slot))
        })?;
        // SAFETY: a Copy function that succeeded stored a reference for us.
        unsafe { take(slot) }.map(Self).ok_or(Failure::NoValue)
    }

    /// The process it belongs to. No message is sent.
    pub(crate) fn pid(&self) -> Answer<i32> {
        let mut pid = 0;
        // SAFETY: the number is valid for the call.
        check(unsafe { self.0.pid(NonNull::from(&mut pid)) })?;
        Ok(pid)
    }

    /// How long a message to this very reference may take; equal ones keep the time of the process.
    pub(crate) fn answer_within(&self, limit: Duration) -> Answer<()> {
        // SAFETY: no preconditions.
        check(unsafe { self.0.set_messaging_timeout(limit.as_secs_f32()) })
    }
}

/// How long a message of this process may take, to whatever application: that is what the timeout of the system-wide element
/// is. On any other element it would hold for that very reference only.
pub(crate) fn set_patience(limit: Duration) -> Answer<()> {
    Element::system_wide().answer_within(limit)
}
