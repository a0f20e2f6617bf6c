//! The screen: its size as turned now, and where a place on it lies on the glass.
//!
//! Input commands take places as the screen is turned now; a touch device reports them in the natural position
//! of the phone.

use fingertip_core::{Point, Screen};

use crate::parse::display::Display;

/// The density assumed when a phone reports none: that of one pixel a density-independent pixel.
const USUAL_DENSITY: u32 = 160;

/// The glass of a phone: its size in the natural position, and how it is turned now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Glass {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Quarters, 0 to 3.
    pub(crate) rotation: u8,
}

impl Glass {
    /// The glass, where size and rotation are known.
    pub(crate) fn of(display: Display) -> Option<Self> {
        let rotation = display.rotation.unwrap_or_default();
        let (width, height) = display.natural.or_else(|| Some(turned(display.current?, rotation)))?;
        Some(Self { width, height, rotation })
    }

    /// The place on the glass, in whole pixels that lie on it.
    pub(crate) fn place(self, point: Point) -> (u32, u32) {
        let (last_x, last_y) = (f64::from(self.width) - 1.0, f64::from(self.height) - 1.0);
        let (x, y) = match self.rotation {
            1 => (last_x - point.y, point.x),
            2 => (last_x - point.x, last_y - point.y),
            3 => (point.y, last_y - point.x),
            _ => (point.x, point.y),
        };
        (x.round().clamp(0.0, last_x) as u32, y.round().clamp(0.0, last_y) as u32)
    }
}

/// The screen as turned now; `None` when the phone does not report its size. `rotation` of a tree wins: it was
/// read at the same moment.
pub(crate) fn of(display: Display, rotation: Option<u8>) -> Option<Screen> {
    let rotation = rotation.or(display.rotation).unwrap_or_default();
    let (width, height) = display.current.or_else(|| Some(turned(display.natural?, rotation)))?;
    Some(Screen { width, height, density: display.density.unwrap_or(USUAL_DENSITY) })
}

fn turned((width, height): (u32, u32), rotation: u8) -> (u32, u32) {
    if rotation % 2 == 1 { (height, width) } else { (width, height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NATURAL: Display =
        Display { natural: Some((1080, 2400)), current: None, density: Some(420), rotation: None };

    #[test]
    fn a_turned_phone_is_wide() {
        assert_eq!(of(NATURAL, None), Some(Screen { width: 1080, height: 2400, density: 420 }));
        assert_eq!(of(NATURAL, Some(1)), Some(Screen { width: 2400, height: 1080, density: 420 }));
        let reported = Display { current: Some((2400, 1080)), rotation: Some(3), ..NATURAL };
        assert_eq!(of(reported, None).map(|screen| screen.width), Some(2400));
        assert_eq!(of(Display::default(), Some(0)), None);
    }

    #[test]
    fn corners_stay_corners_on_the_glass() {
        let at = |rotation, x, y| Glass { width: 1080, height: 2400, rotation }.place(Point::new(x, y));
        assert_eq!(at(0, 10.0, 20.0), (10, 20));
        assert_eq!(at(1, 0.0, 0.0), (1079, 0));
        assert_eq!(at(1, 2399.0, 1079.0), (0, 2399));
        assert_eq!(at(2, 0.0, 0.0), (1079, 2399));
        assert_eq!(at(3, 0.0, 0.0), (0, 2399));
        assert_eq!(at(0, 5000.0, -3.0), (1079, 0));
    }
}
