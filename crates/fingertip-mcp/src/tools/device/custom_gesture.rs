//! `custom_gesture`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::{Gesture, MAX_PATHS, MAX_POINTS, MIN_POINTS, Stroke, Waypoint};
use fingertip_core::target::{Capabilities, Expected};
use fingertip_core::{Error, Point, Result};
use serde_json::{Value, json};

use super::BASE;
use super::shared::{MAX_COORDINATE, MAX_DURATION, limit_beside, milliseconds, must_be_on_screen};
use crate::call::Call;
use crate::params::{Arguments, List, Number, Param};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const X: Number = Number::required("x", "X in pixels").between(0.0, MAX_COORDINATE);
const Y: Number = Number::required("y", "Y in pixels").between(0.0, MAX_COORDINATE);
const TIME: Number =
    Number::required("time", "Time offset in ms from the gesture's start, increasing within a path")
        .between(0.0, MAX_DURATION);
const PATHS: List = List::required(
    "paths",
    "One path a finger; a path is a list of points {x, y, time}, the finger is down from its first to its last",
    1,
    MAX_PATHS,
    path_schema,
)
.as_paths();

fn path_schema() -> Value {
    json!({
        "type": "array",
        "minItems": MIN_POINTS,
        "maxItems": MAX_POINTS,
        "items": {
            "type": "object",
            "properties": { "x": X.schema(), "y": Y.schema(), "time": TIME.schema() },
            "required": ["x", "y", "time"],
            "additionalProperties": false,
        },
    })
}

/// The tool.
pub(crate) struct CustomGesture;

#[async_trait]
impl Tool for CustomGesture {
    type Input = Gesture;

    const DEFINITION: &'static Definition = &Definition {
        name: "custom_gesture",
        title: "Custom gesture",
        description: "Plays any one- or many-finger gesture: each path is one finger's points over time. Use \
            the simpler touch tools where they do.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&PATHS],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Gesture> {
        let paths = PATHS.read(arguments)?;
        let paths = paths.iter().enumerate().map(|(number, path)| read_path(number, path));
        let in_paths =
            |error: Error| Error::invalid(format!("Parameter 'paths' is wrong: {}", error.message()));
        Gesture::custom(paths.collect::<Result<_>>()?).map_err(in_paths)
    }

    fn time_limit(gesture: &Gesture) -> Duration {
        limit_beside(gesture.duration())
    }

    fn charge(gesture: &Gesture) -> Charge {
        Charge::gesture(gesture)
    }

    async fn run(gesture: Gesture, call: &Call) -> Result<Reply> {
        let points: Vec<Point> =
            gesture.strokes().iter().flat_map(Stroke::points).map(|waypoint| waypoint.at).collect();
        let named: Vec<_> = points.iter().map(|point| (*point, "paths[].x", "paths[].y")).collect();
        must_be_on_screen(call, &named).await?;
        if gesture.fingers() > 1 && !call.touch()?.multi_touch() {
            return Err(Error::invalid(
                "Parameter 'paths' must be a single path here: this device has no multi-touch.",
            ));
        }
        call.touch()?.gesture(&gesture, &Expected::anyone(), call.deadline()).await?;
        let paths = gesture.strokes().len();
        Ok(Reply::done(format!(
            "Custom gesture executed with {paths} path(s), total {} point(s)",
            points.len()
        )))
    }
}

fn read_path(number: usize, path: &Value) -> Result<Vec<Waypoint>> {
    let points = path.as_array().filter(|points| (MIN_POINTS..=MAX_POINTS).contains(&points.len()));
    let points = points.ok_or_else(|| {
        Error::invalid(format!(
            "Parameter 'paths' must hold lists of {MIN_POINTS} to {MAX_POINTS} points, got another at paths[{number}]."
        ))
    })?;
    points
        .iter()
        .enumerate()
        .map(|(point, value)| read_point(value, &format!("paths[{number}][{point}]")))
        .collect()
}

fn read_point(value: &Value, place: &str) -> Result<Waypoint> {
    let fields: [&dyn Param; 3] = [&X, &Y, &TIME];
    let inside =
        |error: Error| Error::invalid(format!("Parameter 'paths' is wrong at {place}: {}", error.message()));
    let object = value.as_object().ok_or_else(|| {
        Error::invalid(format!("Parameter 'paths' must hold points {{x, y, time}}, got another at {place}."))
    })?;
    let point = Arguments::new(object, &fields).map_err(inside)?;
    let read = |field: &Number| field.read(point).map_err(inside);
    Ok(Waypoint { at: Point::new(read(&X)?, read(&Y)?), time: milliseconds(read(&TIME)?) })
}
