//! Gestures, played on the phone by its own clock with as many fingers as they have.

use fingertip_core::gesture::{Gesture, Stroke};
use fingertip_core::{Deadline, Result};
use serde_json::{Value, json};

use super::{AgentDriver, Done};
use crate::driver::Driver;
use crate::input::too_long;

impl AgentDriver {
    /// Plays finger paths; returns when the last finger is up.
    pub(super) async fn play(&self, gesture: &Gesture, deadline: Deadline) -> Result<()> {
        if deadline.remaining() < gesture.duration() {
            return Err(too_long(gesture.duration()));
        }
        match self.link.ask(wire(gesture), deadline).await {
            Ok(Done {}) => Ok(()),
            Err(fault) if fault.is_unavailable() => self.shell.gesture(gesture, deadline).await,
            Err(fault) => Err(self.noted(fault).into_error("playing the gesture")),
        }
    }
}

fn wire(gesture: &Gesture) -> Value {
    let strokes: Vec<Value> = gesture.strokes().iter().map(path).collect();
    json!({ "op": "gesture", "strokes": strokes })
}

fn path(stroke: &Stroke) -> Value {
    let points = stroke.points().iter();
    points.map(|point| json!([point.time.as_millis() as u64, point.at.x, point.at.y])).collect()
}

#[cfg(test)]
mod tests {
    use fingertip_core::Point;

    use super::*;

    #[test]
    fn each_finger_is_a_list_of_times_and_places() {
        let double = wire(&Gesture::double_tap(Point::new(10.5, 20.0)));
        let expected = json!([[[0, 10.5, 20.0], [50, 10.5, 20.0]], [[150, 10.5, 20.0], [200, 10.5, 20.0]]]);
        assert_eq!(double["strokes"], expected);
    }
}
