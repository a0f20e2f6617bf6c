//! Elements: asking them, changing them, and what lies at a point.

use super::convert::{code, element, from_object, hand_out, kinds, name, to_object, value};
use crate::core_foundation::CFIndex;
use crate::message::{receiver, send};
use crate::object::{Body, Ref, array, get, release, string};
use crate::world::{self, Attribute, Ended, ROOT, SYSTEM_WIDE, ax_error};

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXIsProcessTrusted() -> u8 {
    u8::from(world::with(|world| world.trusted))
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXIsProcessTrustedWithOptions(options: Ref) -> u8 {
    let prompts = !options.is_null()
        && matches!(
            get(options, "AXIsProcessTrustedWithOptions").map(|object| &object.body),
            Some(Body::Dictionary { items, .. })
                if items.iter().any(|(_, asked)| matches!(get(asked.0, "options").map(|object| &object.body), Some(Body::Bool(true))))
        );
    u8::from(world::with(|world| {
        world.prompts += u64::from(prompts && !world.trusted);
        world.trusted
    }))
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXUIElementCreateApplication(pid: i32) -> Ref {
    element(pid, ROOT, "AXUIElementCreateApplication")
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXUIElementCreateSystemWide() -> Ref {
    element(SYSTEM_WIDE, ROOT, "AXUIElementCreateSystemWide")
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementGetPid(reference: Ref, out: *mut i32) -> i32 {
    match receiver(reference, "AXUIElementGetPid") {
        Ok(found) => {
            // SAFETY: valid by the caller's duty.
            unsafe { *out = found.pid };
            0
        }
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXUIElementSetMessagingTimeout(reference: Ref, seconds: f32) -> i32 {
    if seconds < 0.0 {
        return ax_error::ILLEGAL_ARGUMENT;
    }
    match get(reference, "AXUIElementSetMessagingTimeout").map(|object| &object.body) {
        Some(Body::Element { pid: SYSTEM_WIDE, .. }) => {
            world::with(|world| world.global_timeout = (seconds > 0.0).then_some(seconds));
            0
        }
        // For this very reference only, not for others that are equal to it.
        Some(Body::Element { timeout, .. }) => {
            *crate::ledger::lock(timeout) = seconds;
            0
        }
        _ => ax_error::INVALID_UI_ELEMENT,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyAttributeNames(reference: Ref, out: *mut Ref) -> i32 {
    let who = "AXUIElementCopyAttributeNames";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let names = send(reference, who, |world, to| Ok(world.attribute_names(to.pid, to.node)))?;
            Ok(array(names.iter().map(|name| string(name, who)).collect(), who))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyAttributeValue(
    reference: Ref,
    attribute: Ref,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyAttributeValue";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let attribute = name(attribute, who)?;
            let (pid, found) =
                send(reference, who, |world, to| Ok((to.pid, world.answer(to.pid, to.node, &attribute)?)))?;
            to_object(pid, &found, who)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementGetAttributeValueCount(
    reference: Ref,
    attribute: Ref,
    out: *mut CFIndex,
) -> i32 {
    let who = "AXUIElementGetAttributeValueCount";
    let found = name(attribute, who)
        .and_then(|attribute| send(reference, who, |world, to| world.count(to.pid, to.node, &attribute)));
    match found {
        Ok(count) => {
            // SAFETY: valid by the caller's duty.
            unsafe { *out = count as CFIndex };
            0
        }
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyAttributeValues(
    reference: Ref,
    attribute: Ref,
    index: CFIndex,
    most: CFIndex,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyAttributeValues";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let attribute = name(attribute, who)?;
            let (Ok(index), Ok(most)) = (usize::try_from(index), usize::try_from(most)) else {
                return Err(ax_error::ILLEGAL_ARGUMENT);
            };
            let (pid, found) = send(reference, who, |world, to| {
                Ok((to.pid, world.read_range(to.pid, to.node, &attribute, index, most)?))
            })?;
            to_object(pid, &found, who)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyMultipleAttributeValues(
    reference: Ref,
    attributes: Ref,
    options: u32,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyMultipleAttributeValues";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let (question, answer) = send(reference, who, |world, to| {
                let question = (to.pid, to.node, attributes as usize);
                let answer = match world.kept_answer(question) {
                    Some(kept) => Answer::Kept(kept),
                    None => {
                        let read = |name: &String| world.answer(to.pid, to.node, name);
                        Answer::Found(names(attributes, who)?.iter().map(read).collect())
                    }
                };
                Ok((question, answer))
            })?;
            let found = match answer {
                Answer::Kept(kept) => return Ok(kept),
                Answer::Found(found) => found,
            };
            let mut items = Vec::with_capacity(found.len());
            for attribute in found {
                match attribute.and_then(|attribute| to_object(question.0, &attribute, who)) {
                    Ok(item) => items.push(item),
                    Err(code) if options & 1 != 0 => {
                        items.into_iter().for_each(release);
                        return Err(code);
                    }
                    // The error travels in the place of the value.
                    Err(code) => items.push(value(kinds::ERROR, code, who)),
                }
            }
            let answer = array(items, who);
            world::with(|world| world.keep_answer(question, answer));
            Ok(answer)
        })
    }
}

/// What an application says to a batch of names.
enum Answer {
    /// The array that it handed out before.
    Kept(Ref),
    /// What each attribute holds, or why it does not say.
    Found(Vec<Result<Attribute, i32>>),
}

/// The names in an array of strings.
fn names(attributes: Ref, who: &str) -> Result<Vec<String>, i32> {
    match get(attributes, who).map(|object| &object.body) {
        Some(Body::Array { items, .. }) => items.iter().map(|item| name(item.0, who)).collect(),
        _ => Err(ax_error::ILLEGAL_ARGUMENT),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyParameterizedAttributeNames(
    reference: Ref,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyParameterizedAttributeNames";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let text = send(reference, who, |world, to| Ok(world.text_of(to.pid, to.node).is_some()))?;
            let names: &[&str] = if text { &["AXStringForRange"] } else { &[] };
            Ok(array(names.iter().map(|name| string(name, who)).collect(), who))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyParameterizedAttributeValue(
    reference: Ref,
    attribute: Ref,
    parameter: Ref,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyParameterizedAttributeValue";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let attribute = name(attribute, who)?;
            let parameter = from_object(parameter, who)?;
            let found = send(reference, who, |world, to| {
                let text = world.text_of(to.pid, to.node).filter(|_| attribute == "AXStringForRange");
                let text = text.ok_or(ax_error::PARAMETERIZED_ATTRIBUTE_UNSUPPORTED)?;
                let Attribute::Range(location, length) = parameter else {
                    return Err(ax_error::ILLEGAL_ARGUMENT);
                };
                let units: Vec<u16> = text.encode_utf16().collect();
                let part = usize::try_from(location)
                    .ok()
                    .zip(usize::try_from(length).ok())
                    .and_then(|(location, length)| units.get(location..location.checked_add(length)?));
                Ok(String::from_utf16_lossy(part.ok_or(ax_error::ILLEGAL_ARGUMENT)?))
            })?;
            Ok(string(&found, who))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementIsAttributeSettable(
    reference: Ref,
    attribute: Ref,
    out: *mut u8,
) -> i32 {
    let who = "AXUIElementIsAttributeSettable";
    let found = name(attribute, who).and_then(|attribute| {
        send(reference, who, |world, to| world.is_settable(to.pid, to.node, &attribute))
    });
    match found {
        Ok(settable) => {
            // SAFETY: valid by the caller's duty.
            unsafe { *out = u8::from(settable) };
            0
        }
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXUIElementSetAttributeValue(reference: Ref, attribute: Ref, value: Ref) -> i32 {
    let who = "AXUIElementSetAttributeValue";
    code(name(attribute, who).and_then(|attribute| {
        let value = from_object(value, who)?;
        send(reference, who, |world, to| world.set_from_outside(to.pid, to.node, &attribute, value))
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyActionNames(reference: Ref, out: *mut Ref) -> i32 {
    let who = "AXUIElementCopyActionNames";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let names = send(reference, who, |world, to| world.action_names(to.pid, to.node))?;
            Ok(array(names.iter().map(|name| string(name, who)).collect(), who))
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyActionDescription(
    reference: Ref,
    action: Ref,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyActionDescription";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let action = name(action, who)?;
            let known = send(reference, who, |world, to| world.action_names(to.pid, to.node))?;
            if !known.contains(&action) {
                return Err(ax_error::ACTION_UNSUPPORTED);
            }
            Ok(string(&action.trim_start_matches("AX").to_lowercase(), who))
        })
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn AXUIElementPerformAction(reference: Ref, action: Ref) -> i32 {
    let who = "AXUIElementPerformAction";
    code(name(action, who).and_then(|action| {
        let (ended, timeout) =
            send(reference, who, |world, to| Ok((world.perform(to.pid, to.node, &action)?, to.timeout)))?;
        if matches!(ended, Ended::Blocked) {
            std::thread::sleep(timeout);
            return Err(ax_error::CANNOT_COMPLETE);
        }
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn AXUIElementCopyElementAtPosition(
    reference: Ref,
    x: f32,
    y: f32,
    out: *mut Ref,
) -> i32 {
    let who = "AXUIElementCopyElementAtPosition";
    // SAFETY: valid by the caller's duty.
    unsafe {
        hand_out(out, || {
            let (pid, node) = send(reference, who, |world, to| {
                let only = (to.pid != SYSTEM_WIDE).then_some(to.pid);
                let found = world.element_at(only, f64::from(x), f64::from(y)).ok_or(ax_error::NO_VALUE)?;
                // The application that lies there answers for what it shows.
                if world.apps.get(&found.0).is_some_and(|app| app.hung) {
                    return Err(ax_error::CANNOT_COMPLETE);
                }
                Ok(found)
            })?;
            Ok(element(pid, node, who))
        })
    }
}
