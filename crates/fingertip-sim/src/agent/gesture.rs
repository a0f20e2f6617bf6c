//! `gesture`: fingers on a clock.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::failure::Failure;
use super::fields::Fields;
use super::receiver::Meant;
use super::session::Session;
use crate::SimPhone;
use crate::phone::{TouchAction, TouchEvent};

const MAX_FINGERS: usize = 10;
const MAX_STROKES: usize = 64;
const MAX_WAYPOINTS: usize = 20_000;
const MAX_TIME: u64 = 600_000;
const USUAL_STEP: i64 = 8;
/// What the timers of the runtime are good for.
const COARSE: Duration = Duration::from_millis(3);

/// Where a finger is, and when.
type Waypoint = (u64, f32, f32);

/// What happens at a moment, in the order in which it is injected.
#[derive(Debug, Default, PartialEq)]
struct Moment {
    time: u64,
    touches: Vec<(TouchAction, u32, f32, f32)>,
    /// How many events Android would see: one for all that move, one for each that comes or goes.
    events: u64,
}

pub(super) async fn run(session: &Session, mut fields: Fields) -> Result<Value, Failure> {
    let phone = &*session.phone;
    let step = fields.optional_number("step_ms", 1, 100)?.unwrap_or(USUAL_STEP) as u64;
    let strokes = strokes(&fields.list("strokes")?)?;
    let meant = Meant::read(&mut fields)?;
    fields.end()?;
    let looks = !meant.is_anyone() && strokes.iter().any(|stroke| stroke[0].0 > 0);
    if looks {
        session.events.take()?;
    }
    let moments = plan(&strokes, step)?;
    let lift = Lift(phone);
    let (start, mut late) = (Instant::now(), Duration::ZERO);
    let first = phone.now();
    let mut put = 0;
    for moment in &moments {
        let due = start + Duration::from_millis(moment.time);
        at(due).await;
        late = late.max(due.elapsed());
        for (action, pointer, x, y) in &moment.touches {
            let event =
                TouchEvent { action: *action, pointer: *pointer, x: *x, y: *y, at: first + moment.time };
            let comes = *action == TouchAction::Down;
            phone.with(|phone| {
                // Those at the start come down where the host has just looked.
                if comes && moment.time > 0 {
                    let done = format!("Put down {put} of {} fingers", strokes.len());
                    meant.must_lie_at(phone, *x, *y, &done)?;
                }
                phone.touch(event);
                Ok(())
            })?;
            put += usize::from(comes);
        }
    }
    std::mem::forget(lift);
    let events: u64 = moments.iter().map(|moment| moment.events).sum();
    Ok(json!({ "events": events, "late_ms": late.as_millis() as u64 }))
}

/// Waits until then, to a fraction of a millisecond: the timers of the runtime are late by up to two.
async fn at(due: Instant) {
    tokio::time::sleep_until(due - COARSE).await;
    let rest = due.saturating_duration_since(Instant::now());
    if !rest.is_zero() {
        // Only a runtime that shuts down does not finish a sleep; then the gesture ends with it.
        let _ = tokio::task::spawn_blocking(move || std::thread::sleep(rest)).await;
    }
}

/// Takes the fingers off when the gesture breaks off.
struct Lift<'a>(&'a SimPhone);

impl Drop for Lift<'_> {
    fn drop(&mut self) {
        self.0.with(|phone| {
            let at = phone.now();
            phone.touch(TouchEvent { action: TouchAction::Cancel, pointer: 0, x: 0.0, y: 0.0, at });
        });
    }
}

fn strokes(list: &[Value]) -> Result<Vec<Vec<Waypoint>>, Failure> {
    let wrong = |wanted: &str| Failure::invalid("strokes", wanted);
    if list.is_empty() || list.len() > MAX_STROKES {
        return Err(wrong("a list of 1 to 64 strokes"));
    }
    let mut count = 0;
    let mut strokes = Vec::new();
    for stroke in list {
        let points: Option<Vec<Waypoint>> =
            stroke.as_array().and_then(|points| points.iter().map(waypoint).collect());
        let points = points.filter(|points| points.len() >= 2);
        let points = points.ok_or_else(|| wrong("lists of two waypoints or more"))?;
        if !points.is_sorted_by(|one, next| one.0 < next.0) {
            return Err(wrong("waypoints at growing times"));
        }
        count += points.len();
        strokes.push(points);
    }
    if count > MAX_WAYPOINTS {
        return Err(wrong("no more than 20000 waypoints"));
    }
    Ok(strokes)
}

fn waypoint(value: &Value) -> Option<Waypoint> {
    let [time, x, y] = value.as_array()?.as_slice() else { return None };
    let time = time.as_u64().filter(|time| *time <= MAX_TIME)?;
    Some((time, x.as_f64()? as f32, y.as_f64()? as f32))
}

/// All moments: at one, fingers first move, then go up, then come down, so that their numbers are free again.
fn plan(strokes: &[Vec<Waypoint>], step: u64) -> Result<Vec<Moment>, Failure> {
    let ends = |stroke: &Vec<Waypoint>| (stroke[0].0, stroke[stroke.len() - 1].0);
    let mut times: Vec<u64> = strokes.iter().flatten().map(|point| point.0).collect();
    for stroke in strokes {
        let (start, end) = ends(stroke);
        times.extend((start..end).step_by(step as usize));
    }
    times.sort_unstable();
    times.dedup();
    let mut fingers: Vec<Option<(u32, f32, f32)>> = vec![None; strokes.len()];
    let mut moments = Vec::new();
    for time in times {
        let mut moment = Moment { time, ..Moment::default() };
        for (stroke, finger) in strokes.iter().zip(&mut fingers) {
            let Some((number, last_x, last_y)) = finger else { continue };
            let (x, y) = place(stroke, time);
            if (x, y) != (*last_x, *last_y) {
                moment.touches.push((TouchAction::Move, *number, x, y));
                (*last_x, *last_y) = (x, y);
            }
        }
        moment.events = u64::from(!moment.touches.is_empty());
        for (stroke, finger) in strokes.iter().zip(&mut fingers) {
            if ends(stroke).1 == time
                && let Some((number, x, y)) = finger.take()
            {
                moment.touches.push((TouchAction::Up, number, x, y));
                moment.events += 1;
            }
        }
        for (place, stroke) in strokes.iter().enumerate().filter(|(_, stroke)| ends(stroke).0 == time) {
            let taken: Vec<u32> = fingers.iter().flatten().map(|finger| finger.0).collect();
            let free = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
            if taken.len() == MAX_FINGERS {
                return Err(Failure::invalid("strokes", "no more than 10 fingers at once"));
            }
            let (_, x, y) = stroke[0];
            fingers[place] = Some((free, x, y));
            moment.touches.push((TouchAction::Down, free, x, y));
            moment.events += 1;
        }
        if !moment.touches.is_empty() {
            moments.push(moment);
        }
    }
    Ok(moments)
}

fn place(stroke: &[Waypoint], time: u64) -> (f32, f32) {
    let next = stroke.partition_point(|point| point.0 < time).min(stroke.len() - 1);
    let (to, to_x, to_y) = stroke[next];
    if to <= time || next == 0 {
        return (to_x, to_y);
    }
    let (from, from_x, from_y) = stroke[next - 1];
    let share = (time - from) as f64 / (to - from) as f64;
    let between = |one: f32, other: f32| (f64::from(one) + f64::from(other - one) * share) as f32;
    (between(from_x, to_x), between(from_y, to_y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tap_is_down_and_up_and_a_double_tap_uses_one_finger() {
        let tap = plan(&[vec![(0, 5.0, 6.0), (50, 5.0, 6.0)]], 8).unwrap();
        assert_eq!(tap.len(), 2);
        assert_eq!(tap.iter().map(|moment| moment.events).sum::<u64>(), 2);
        let double =
            plan(&[vec![(0, 5.0, 6.0), (50, 5.0, 6.0)], vec![(50, 5.0, 6.0), (90, 5.0, 6.0)]], 8).unwrap();
        assert!(double.iter().flat_map(|moment| &moment.touches).all(|touch| touch.1 == 0));
    }

    #[test]
    fn waypoints_are_met_and_fingers_counted() {
        let line = plan(&[vec![(0, 0.0, 0.0), (20, 20.0, 40.0)]], 8).unwrap();
        let places: Vec<_> = line.iter().map(|moment| (moment.time, moment.touches[0].2)).collect();
        assert_eq!(places, [(0, 0.0), (8, 8.0), (16, 16.0), (20, 20.0)]);
        let eleven: Vec<_> = (0..11).map(|_| vec![(0, 0.0, 0.0), (9, 1.0, 1.0)]).collect();
        assert!(plan(&eleven, 8).is_err());
    }
}
