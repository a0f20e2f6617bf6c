//! A virtual touch screen: kernel events in, fingers out.
//!
//! Coordinates of the device are those of the phone held upright, scaled from the device's own range; they
//! are turned with the screen before the model sees them, as Android's input reader does.

use serde_json::Value;

use crate::SimPhone;
use crate::phone::{Phone, TouchAction, TouchEvent};

/// Fingers of one device.
const SLOTS: usize = 16;

const SYNCHRONIZE: i64 = 0;
const ABSOLUTE: i64 = 3;
const SLOT: i64 = 0x2f;
const POSITION_X: i64 = 0x35;
const POSITION_Y: i64 = 0x36;
const TRACKING_ID: i64 = 0x39;

/// Names newer versions take in place of numbers.
const NAMES: [(&str, i64); 8] = [
    ("EV_SYN", SYNCHRONIZE),
    ("EV_KEY", 1),
    ("EV_ABS", ABSOLUTE),
    ("SYN_REPORT", 0),
    ("ABS_MT_SLOT", SLOT),
    ("ABS_MT_POSITION_X", POSITION_X),
    ("ABS_MT_POSITION_Y", POSITION_Y),
    ("ABS_MT_TRACKING_ID", TRACKING_ID),
];

/// The lowest and highest value of an axis; the size of the screen where the device says nothing.
type Axis = Option<(i64, i64)>;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    x: i64,
    y: i64,
    /// Whether the device says a finger is there.
    touching: bool,
    /// Whether the phone has its touch.
    down: bool,
    moved: bool,
}

/// One device and its fingers.
#[derive(Debug)]
pub(super) struct Device {
    x: Axis,
    y: Axis,
    slot: usize,
    slots: [Slot; SLOTS],
    /// Keeps the fingers of several devices apart.
    first_pointer: u32,
}

impl Device {
    /// Plugs the device in, as the `number`th.
    pub(super) fn register(object: &Value, number: usize) -> Self {
        let axis = |wanted: i64| {
            let axes = object["abs_info"].as_array()?;
            let axis = axes.iter().find(|axis| number_of(&axis["code"]) == Some(wanted))?;
            let (low, high) = (axis["info"]["minimum"].as_i64()?, axis["info"]["maximum"].as_i64()?);
            (high > low).then_some((low, high))
        };
        let first_pointer = u32::try_from(number * SLOTS).unwrap_or_default();
        Self {
            x: axis(POSITION_X),
            y: axis(POSITION_Y),
            slot: 0,
            slots: [Slot::default(); SLOTS],
            first_pointer,
        }
    }

    /// Takes events in groups of type, code and value. The phone gets them at each report.
    pub(super) fn inject(&mut self, phone: &SimPhone, events: &[Value]) {
        for event in events.chunks_exact(3) {
            let [Some(kind), Some(code), Some(value)] = [&event[0], &event[1], &event[2]].map(number_of)
            else {
                continue;
            };
            match (kind, code) {
                (ABSOLUTE, SLOT) => self.slot = usize::try_from(value).unwrap_or_default().min(SLOTS - 1),
                (ABSOLUTE, POSITION_X) => {
                    self.slots[self.slot].x = value;
                    self.slots[self.slot].moved = true;
                }
                (ABSOLUTE, POSITION_Y) => {
                    self.slots[self.slot].y = value;
                    self.slots[self.slot].moved = true;
                }
                (ABSOLUTE, TRACKING_ID) => self.slots[self.slot].touching = value >= 0,
                (SYNCHRONIZE, 0) => self.report(phone),
                _ => {}
            }
        }
    }

    /// Takes all fingers off the screen.
    pub(super) fn unplug(&mut self, phone: &SimPhone) {
        for slot in &mut self.slots {
            slot.touching = false;
        }
        self.report(phone);
    }

    fn report(&mut self, phone: &SimPhone) {
        let (x_axis, y_axis, first_pointer) = (self.x, self.y, self.first_pointer);
        phone.with(|phone| {
            for (pointer, slot) in (first_pointer..).zip(&mut self.slots) {
                let action = match (slot.down, slot.touching) {
                    (false, true) => TouchAction::Down,
                    (true, false) => TouchAction::Up,
                    (true, true) if slot.moved => TouchAction::Move,
                    _ => continue,
                };
                let (x, y) = on_screen(phone, (slot.x, x_axis), (slot.y, y_axis));
                phone.touch(TouchEvent { action, pointer, x, y, at: phone.now() });
                slot.down = slot.touching;
                slot.moved = false;
            }
        });
    }
}

/// A number, or the name of one.
fn number_of(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let name = value.as_str()?;
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    })
}

/// Where a point of the device lies on the screen as it is turned now.
fn on_screen(phone: &Phone, x: (i64, Axis), y: (i64, Axis)) -> (f32, f32) {
    let (width, height) = phone.size();
    let is_turned = phone.rotation() % 2 == 1;
    let (width, height) = if is_turned { (height, width) } else { (width, height) };
    let (width, height) = (width as f32, height as f32);
    let scale = |(value, axis): (i64, Axis), size: f32| match axis {
        // In floating point, because a device may claim a range no integer can measure.
        Some((low, high)) => (value as f32 - low as f32) * size / (high as f32 - low as f32 + 1.0),
        None => value as f32,
    };
    let (x, y) = (scale(x, width), scale(y, height));
    match phone.rotation() {
        1 => (y, width - x),
        2 => (width - x, height - y),
        3 => (height - y, x),
        _ => (x, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[test]
    fn points_are_scaled_from_the_range_of_the_device() {
        let phone = Phone::new(Profile::default());
        assert_eq!(on_screen(&phone, (540, None), (100, None)), (540.0, 100.0));
        let half = on_screen(&phone, (50, Some((0, 99))), (150, Some((100, 199))));
        assert_eq!(half, (540.0, 1200.0));
    }

    #[test]
    fn ranges_beyond_reason_do_no_harm() {
        let phone = Phone::new(Profile::default());
        let (x, y) = on_screen(&phone, (i64::MAX, Some((i64::MIN, i64::MAX))), (i64::MIN, Some((1, 2))));
        assert!(x.is_finite() && y.is_finite());
    }

    #[test]
    fn points_turn_with_the_screen() {
        let mut phone = Phone::new(Profile::default());
        let corner = |phone: &Phone| on_screen(phone, (10, None), (20, None));
        phone.lock_rotation(1);
        assert_eq!(corner(&phone), (20.0, 1070.0));
        phone.lock_rotation(2);
        assert_eq!(corner(&phone), (1070.0, 2380.0));
        phone.lock_rotation(3);
        assert_eq!(corner(&phone), (2380.0, 10.0));
    }

    #[test]
    fn names_and_numbers_mean_the_same() {
        assert_eq!(number_of(&Value::from("ABS_MT_SLOT")), Some(47));
        assert_eq!(number_of(&Value::from(47)), Some(47));
        assert_eq!(number_of(&Value::from("KEY_NONSENSE")), None);
    }
}
