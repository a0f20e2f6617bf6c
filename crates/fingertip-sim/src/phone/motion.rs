//! Scrolling that goes on after the finger has left, as Android's `OverScroller` does it.

use super::profile::Millis;

/// Friction of a fling (`ViewConfiguration.getScrollFriction`).
const FRICTION: f32 = 0.015;
/// Shape of the deceleration: ln 0.78 / ln 0.9.
const DECELERATION: f32 = 2.358_201_8;
/// Where the tension of the spline changes.
const INFLEXION: f32 = 0.35;
/// How long a pager takes to settle.
pub(crate) const SETTLE: Millis = 250;
/// How often something moving is looked at.
pub(crate) const FRAME: Millis = 16;

/// A scroll area on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Motion {
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) started: Millis,
    pub(crate) duration: Millis,
}

impl Motion {
    /// What a finger that left with `velocity` (pixels a second) starts.
    pub(crate) fn fling(from: f32, velocity: f32, most: f32, density: f32, now: Millis) -> Self {
        let coefficient = 9.80665 * 39.37 * density * 0.84;
        let log = (INFLEXION * velocity.abs() / (FRICTION * coefficient)).ln();
        let distance = FRICTION * coefficient * (DECELERATION / (DECELERATION - 1.0) * log).exp();
        let duration = (1000.0 * (log / (DECELERATION - 1.0)).exp()) as Millis;
        let to = (from + distance * velocity.signum()).clamp(0.0, most);
        Self { from, to, started: now, duration: duration.max(FRAME) }
    }

    /// A slide to a page.
    pub(crate) fn settle(from: f32, to: f32, now: Millis) -> Self {
        Self { from, to, started: now, duration: SETTLE }
    }

    /// The offset at a moment.
    pub(crate) fn at(&self, now: Millis) -> f32 {
        let part = now.saturating_sub(self.started) as f32 / self.duration as f32;
        let rest = 1.0 - part.clamp(0.0, 1.0);
        self.to - (self.to - self.from) * rest.powi(3)
    }

    pub(crate) fn is_over(&self, now: Millis) -> bool {
        now >= self.started + self.duration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fling_slows_down_and_stops_within_the_content() {
        let motion = Motion::fling(0.0, 5000.0, 100_000.0, 420.0, 1000);
        let early = motion.at(1100) - motion.at(1000);
        let late = motion.at(1000 + motion.duration) - motion.at(900 + motion.duration);
        assert!(motion.to > 1500.0 && motion.to < 10_000.0, "{motion:?}");
        assert!(early > late && late >= 0.0);
        assert!(motion.is_over(1000 + motion.duration));
        assert_eq!(Motion::fling(0.0, 5000.0, 300.0, 420.0, 0).to, 300.0);
        assert_eq!(Motion::fling(200.0, -9000.0, 300.0, 420.0, 0).to, 0.0);
    }
}
