//! Gestures, played on the phone by its own clock with as many fingers as they have. Before a finger
//! comes down later than at the start, the agent checks that the expected receiver still lies there.

use async_trait::async_trait;
use fingertip_core::gesture::{Gesture, Stroke};
use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, Drag, Expected};
use fingertip_core::{Deadline, Result};
use serde_json::{Value, json};

use super::{AgentDriver, Done};
use crate::driver::Driver;
use crate::input::too_long;

#[async_trait]
impl Touch for AgentDriver {
    fn multi_touch(&self) -> bool {
        self.capabilities().contains(Capabilities::MULTI_TOUCH)
    }

    /// Plays finger paths; returns when the last finger is up.
    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        if deadline.remaining() < gesture.duration() {
            return Err(too_long(gesture.duration()));
        }
        match self.link.ask(wire(gesture, to), deadline).await {
            Ok(Done {}) => Ok(()),
            Err(error) if self.shell_takes_over(&error) => self.shell()?.gesture(gesture, to, deadline).await,
            Err(error) => Err(self.noted(error).into_error("playing the gesture")),
        }
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        self.gesture(&Gesture::drag(drag.from, drag.to), to, deadline).await
    }
}

fn wire(gesture: &Gesture, to: &Expected) -> Value {
    let strokes: Vec<Value> = gesture.strokes().iter().map(path).collect();
    let mut request = json!({ "op": "gesture", "strokes": strokes });
    // Fingers at the start come down where the receiver was checked a moment ago.
    if !to.is_anyone() && gesture.strokes().iter().any(|stroke| !stroke.start().time.is_zero()) {
        request["packages"] = to.apps().collect();
    }
    request
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
        let double = wire(&Gesture::double_tap(Point::new(10.5, 20.0)), &Expected::anyone());
        let expected = json!([[[0, 10.5, 20.0], [50, 10.5, 20.0]], [[150, 10.5, 20.0], [200, 10.5, 20.0]]]);
        assert_eq!(double["strokes"], expected);
        assert_eq!(double.get("packages"), None);
    }

    #[test]
    fn a_later_finger_is_for_those_who_are_meant() {
        let window = fingertip_core::Window::new("com.notes", fingertip_core::Rect::default());
        let to = Expected::owners([&window]);
        let at = Point::new(1.0, 2.0);
        assert_eq!(wire(&Gesture::double_tap(at), &to)["packages"], json!(["com.notes"]));
        assert_eq!(wire(&Gesture::tap(at), &to).get("packages"), None);
    }
}
