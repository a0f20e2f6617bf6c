//! Parameters that several device tools have, and checks that go with them.

use std::time::Duration;

use fingertip_core::gesture::Gesture;
use fingertip_core::select::{By, Criterion};
use fingertip_core::target::Expected;
use fingertip_core::{Error, Point, Result, Screen};

use crate::call::Call;
use crate::params::{AppName, Arguments, Choice, ElementId, Integer, Number, OptionalAppName, Text};
use crate::tool::TIME_LIMIT;

/// The largest coordinate any screen could have, in pixels.
pub(crate) const MAX_COORDINATE: f64 = 100_000.0;
/// The longest gesture, in milliseconds.
pub(crate) const MAX_DURATION: f64 = 60_000.0;
/// The longest wait, in milliseconds.
pub(crate) const MAX_TIMEOUT: u32 = 30_000;

/// The id of an element.
pub(crate) const ELEMENT_ID: ElementId =
    ElementId::required("element_id", "Element id from a screen, or a selector such as button \"Save\"");

/// The application a tool looks at; only a desktop has others than the one in front.
pub(crate) const APP: OptionalAppName = AppName::optional(
    "Which application to look at: name, PID, or bundle or package id; the one with the input focus by default",
)
.looked_at();

/// How long a wait may last.
pub(crate) const TIMEOUT: Integer =
    Integer::required("timeout", "How long to wait at the most, in milliseconds (1-30000)")
        .between(1, MAX_TIMEOUT);

/// What a search compares.
pub(crate) const BY: Choice<By> = Choice::required(
    "by",
    "Which property of the elements to compare",
    &[
        (By::Text.name(), By::Text),
        (By::ContentDesc.name(), By::ContentDesc),
        (By::ResourceId.name(), By::ResourceId),
        (By::ClassName.name(), By::ClassName),
    ],
);

/// What a search looks for.
pub(crate) const VALUE: Text = Text::required("value", "The value to look for").not_empty();

/// A coordinate parameter.
#[must_use]
pub(crate) const fn coordinate(name: &'static str, description: &'static str) -> Number {
    Number::required(name, description).between(0.0, MAX_COORDINATE)
}

/// The point of a touch: its x.
pub(crate) const X: Number = coordinate("x", "X in pixels").as_x();
/// The point of a touch: its y.
pub(crate) const Y: Number = coordinate("y", "Y in pixels").as_y();

/// The point of a touch.
///
/// # Errors
/// Names the parameter that is wrong.
pub(crate) fn point(arguments: Arguments<'_>) -> Result<Point> {
    Ok(Point::new(X.read(arguments)?, Y.read(arguments)?))
}

/// Touches the screen at one point, whatever is there.
///
/// # Errors
/// When the point is not on the screen, and those of the target.
pub(crate) async fn touch_at(call: &Call, point: Point, gesture: &Gesture) -> Result<()> {
    must_be_on_screen(call, &[(point, "x", "y")]).await?;
    call.touch()?.gesture(gesture, &Expected::anyone(), call.deadline()).await
}

/// A duration parameter in milliseconds.
#[must_use]
pub(crate) const fn duration(description: &'static str, default: f64) -> Number {
    Number::optional("duration", description, default).between(1.0, MAX_DURATION)
}

/// A number of milliseconds as a span.
#[must_use]
pub(crate) fn milliseconds(number: f64) -> Duration {
    Duration::from_secs_f64(number / 1000.0)
}

/// The usual time limit, and `span` on top for a gesture that lasts.
#[must_use]
pub(crate) fn limit_beside(span: Duration) -> Duration {
    TIME_LIMIT + span
}

/// The criterion of a search.
///
/// # Errors
/// Names the parameter that is wrong.
pub(crate) fn criterion(arguments: Arguments<'_>, exact: bool) -> Result<Criterion> {
    Ok(Criterion::new(BY.read(arguments)?, &VALUE.read(arguments)?, exact))
}

/// Refuses points that are not on the screen as it is now; each is given with the names of its parameters.
///
/// # Errors
/// Names the parameter that lies outside, and those of reading the screen size.
pub(crate) async fn must_be_on_screen(call: &Call, points: &[(Point, &str, &str)]) -> Result<Screen> {
    // Asking the device costs as much as the touch itself, and a size of a moment ago is good enough.
    let screen = match call.attached().recent_screen() {
        Some(screen) => screen,
        None => call.screen().await?,
    };
    for (point, x, y) in points {
        for (name, value, size) in [(x, point.x, screen.width), (y, point.y, screen.height)] {
            if value >= f64::from(size) {
                return Err(Error::invalid(format!(
                    "Parameter '{name}' must be less than {size} on this {}x{} screen, got {value}.",
                    screen.width, screen.height
                ))
                .with_guidance("Coordinates are pixels of the screen as it is turned now."));
            }
        }
    }
    Ok(screen)
}

/// What a wait takes besides its timeout, to end by itself before the server ends it.
const WAIT_MARGIN: Duration = Duration::from_millis(50);

/// The time limit of a wait that minds its timeout itself.
#[must_use]
pub(crate) fn limit_for_wait(timeout: Duration) -> Duration {
    timeout + WAIT_MARGIN
}

/// How much longer a text may take for each line end or tab in it: what such a key opens is given time to come up.
const LINE_TIME: Duration = Duration::from_millis(500);
/// The longest time for typing a text.
const MAX_TYPING: Duration = Duration::from_secs(60);

/// How long a call may take that types this text.
pub(crate) fn typing_limit(text: &str) -> Duration {
    let lines = text.chars().filter(|letter| matches!(letter, '\n' | '\t')).count();
    (TIME_LIMIT + LINE_TIME * u32::try_from(lines).unwrap_or(u32::MAX).min(1000)).min(MAX_TYPING)
}
