//! The accessibility API: `AXUIElement`, `AXValue`, `AXObserver`.

use std::ffi::{c_float, c_void};
use std::ptr::NonNull;

use objc2_core_foundation::{
    CFArray, CFDictionary, CFIndex, CFRetained, CFRunLoopSource, CFString, CFType, CFTypeID,
};

use super::opaque;

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AXError(pub(crate) i32);

impl AXError {
    pub(crate) const Success: Self = Self(0);
    pub(crate) const Failure: Self = Self(-25200);
    pub(crate) const IllegalArgument: Self = Self(-25201);
    pub(crate) const InvalidUIElement: Self = Self(-25202);
    pub(crate) const InvalidUIElementObserver: Self = Self(-25203);
    pub(crate) const CannotComplete: Self = Self(-25204);
    pub(crate) const AttributeUnsupported: Self = Self(-25205);
    pub(crate) const ActionUnsupported: Self = Self(-25206);
    pub(crate) const NotificationUnsupported: Self = Self(-25207);
    pub(crate) const NotImplemented: Self = Self(-25208);
    pub(crate) const NotificationAlreadyRegistered: Self = Self(-25209);
    pub(crate) const NotificationNotRegistered: Self = Self(-25210);
    pub(crate) const APIDisabled: Self = Self(-25211);
    pub(crate) const NoValue: Self = Self(-25212);
    pub(crate) const ParameterizedAttributeUnsupported: Self = Self(-25213);
    pub(crate) const NotEnoughPrecision: Self = Self(-25214);
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AXValueType(pub(crate) u32);

impl AXValueType {
    pub(crate) const CGPoint: Self = Self(1);
    pub(crate) const CGSize: Self = Self(2);
    pub(crate) const CGRect: Self = Self(3);
    pub(crate) const CFRange: Self = Self(4);
    pub(crate) const AXError: Self = Self(5);
    pub(crate) const Illegal: Self = Self(0);
}

#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AXCopyMultipleAttributeOptions(pub(crate) u32);

opaque!(AXUIElement, AXUIElementGetTypeID);
opaque!(AXValue, AXValueGetTypeID);
opaque!(AXObserver, AXObserverGetTypeID);

unsafe extern "C" {
    pub(crate) static kAXTrustedCheckOptionPrompt: &'static CFString;
}

pub(crate) unsafe fn AXIsProcessTrusted() -> bool {
    unsafe extern "C-unwind" {
        fn AXIsProcessTrusted() -> u8;
    }
    // SAFETY: a getter without arguments.
    unsafe { AXIsProcessTrusted() != 0 }
}

pub(crate) unsafe fn AXIsProcessTrustedWithOptions(options: Option<&CFDictionary>) -> bool {
    unsafe extern "C-unwind" {
        fn AXIsProcessTrustedWithOptions(options: Option<&CFDictionary>) -> u8;
    }
    // SAFETY: the caller's duty.
    unsafe { AXIsProcessTrustedWithOptions(options) != 0 }
}

/// Methods that hand their arguments on and return the error code.
macro_rules! forward {
    ($type:ident: $(fn $rust:ident = $c:ident($($arg:ident: $ty:ty),*);)*) => {
        impl $type {$(
            pub(crate) unsafe fn $rust(&self, $($arg: $ty),*) -> AXError {
                unsafe extern "C-unwind" { fn $c(this: &$type, $($arg: $ty),*) -> AXError; }
                // SAFETY: the caller's duty.
                unsafe { $c(self, $($arg),*) }
            }
        )*}
    };
}

forward! { AXUIElement:
    fn copy_attribute_names = AXUIElementCopyAttributeNames(names: NonNull<*const CFArray>);
    fn copy_attribute_value = AXUIElementCopyAttributeValue(attribute: &CFString, value: NonNull<*const CFType>);
    fn attribute_value_count = AXUIElementGetAttributeValueCount(attribute: &CFString, count: NonNull<CFIndex>);
    fn copy_attribute_values = AXUIElementCopyAttributeValues(attribute: &CFString, index: CFIndex, max_values: CFIndex, values: NonNull<*const CFArray>);
    fn is_attribute_settable = AXUIElementIsAttributeSettable(attribute: &CFString, settable: NonNull<u8>);
    fn set_attribute_value = AXUIElementSetAttributeValue(attribute: &CFString, value: &CFType);
    fn copy_multiple_attribute_values = AXUIElementCopyMultipleAttributeValues(attributes: &CFArray, options: AXCopyMultipleAttributeOptions, values: NonNull<*const CFArray>);
    fn copy_parameterized_attribute_names = AXUIElementCopyParameterizedAttributeNames(names: NonNull<*const CFArray>);
    fn copy_parameterized_attribute_value = AXUIElementCopyParameterizedAttributeValue(parameterized_attribute: &CFString, parameter: &CFType, result: NonNull<*const CFType>);
    fn copy_action_names = AXUIElementCopyActionNames(names: NonNull<*const CFArray>);
    fn copy_action_description = AXUIElementCopyActionDescription(action: &CFString, description: NonNull<*const CFString>);
    fn perform_action = AXUIElementPerformAction(action: &CFString);
    fn copy_element_at_position = AXUIElementCopyElementAtPosition(x: c_float, y: c_float, element: NonNull<*const AXUIElement>);
    fn pid = AXUIElementGetPid(pid: NonNull<libc::pid_t>);
    fn set_messaging_timeout = AXUIElementSetMessagingTimeout(timeout_in_seconds: c_float);
}

forward! { AXObserver:
    fn add_notification = AXObserverAddNotification(element: &AXUIElement, notification: &CFString, refcon: *mut c_void);
    fn remove_notification = AXObserverRemoveNotification(element: &AXUIElement, notification: &CFString);
}

impl AXUIElement {
    pub(crate) unsafe fn new_application(pid: libc::pid_t) -> CFRetained<AXUIElement> {
        unsafe extern "C-unwind" {
            fn AXUIElementCreateApplication(pid: libc::pid_t) -> Option<NonNull<AXUIElement>>;
        }
        // SAFETY: any number is a valid argument.
        let element = unsafe { AXUIElementCreateApplication(pid) }
            .expect("function was marked as returning non-null, but actually returned NULL");
        // SAFETY: a Create function hands over one reference.
        unsafe { CFRetained::from_raw(element) }
    }

    pub(crate) unsafe fn new_system_wide() -> CFRetained<AXUIElement> {
        unsafe extern "C-unwind" {
            fn AXUIElementCreateSystemWide() -> Option<NonNull<AXUIElement>>;
        }
        // SAFETY: no arguments.
        let element = unsafe { AXUIElementCreateSystemWide() }
            .expect("function was marked as returning non-null, but actually returned NULL");
        // SAFETY: a Create function hands over one reference.
        unsafe { CFRetained::from_raw(element) }
    }
}

impl AXValue {
    pub(crate) unsafe fn new(
        the_type: AXValueType,
        value_ptr: NonNull<c_void>,
    ) -> Option<CFRetained<AXValue>> {
        unsafe extern "C-unwind" {
            fn AXValueCreate(the_type: AXValueType, value_ptr: NonNull<c_void>) -> Option<NonNull<AXValue>>;
        }
        // SAFETY: the pointer fits the type by the caller's duty; a Create function hands over one reference.
        unsafe { AXValueCreate(the_type, value_ptr).map(|value| CFRetained::from_raw(value)) }
    }

    pub(crate) unsafe fn r#type(&self) -> AXValueType {
        unsafe extern "C-unwind" {
            fn AXValueGetType(value: &AXValue) -> AXValueType;
        }
        // SAFETY: a getter.
        unsafe { AXValueGetType(self) }
    }

    pub(crate) unsafe fn value(&self, the_type: AXValueType, value_ptr: NonNull<c_void>) -> bool {
        unsafe extern "C-unwind" {
            fn AXValueGetValue(value: &AXValue, the_type: AXValueType, value_ptr: NonNull<c_void>) -> u8;
        }
        // SAFETY: the pointer fits the type by the caller's duty.
        unsafe { AXValueGetValue(self, the_type, value_ptr) != 0 }
    }
}

pub(crate) type AXObserverCallback = Option<
    unsafe extern "C-unwind" fn(NonNull<AXObserver>, NonNull<AXUIElement>, NonNull<CFString>, *mut c_void),
>;

impl AXObserver {
    pub(crate) unsafe fn create(
        application: libc::pid_t,
        callback: AXObserverCallback,
        out_observer: NonNull<*mut AXObserver>,
    ) -> AXError {
        unsafe extern "C-unwind" {
            fn AXObserverCreate(
                application: libc::pid_t,
                callback: AXObserverCallback,
                out_observer: NonNull<*mut AXObserver>,
            ) -> AXError;
        }
        // SAFETY: the caller's duty.
        unsafe { AXObserverCreate(application, callback, out_observer) }
    }

    pub(crate) unsafe fn run_loop_source(&self) -> CFRetained<CFRunLoopSource> {
        unsafe extern "C-unwind" {
            fn AXObserverGetRunLoopSource(observer: &AXObserver) -> Option<NonNull<CFRunLoopSource>>;
        }
        // SAFETY: a getter.
        let source = unsafe { AXObserverGetRunLoopSource(self) }
            .expect("function was marked as returning non-null, but actually returned NULL");
        // SAFETY: a Get function lends; the caller gets a reference of its own.
        unsafe { CFRetained::retain(source) }
    }
}
