//! Paths given by the caller, point by point.

use super::{Gesture, Stroke, Waypoint};
use crate::{Error, Result};

/// The greatest number of paths, a finger each.
pub const MAX_PATHS: usize = 10;
/// The least number of points of a path: where the finger comes down and where it goes up.
pub const MIN_POINTS: usize = 2;
/// The greatest number of points of a path.
pub const MAX_POINTS: usize = 100;

impl Gesture {
    /// The fingers move exactly along these paths, at these times.
    ///
    /// # Errors
    /// When there are too few or too many paths or points, a coordinate is negative or no number, or the
    /// times of a path do not strictly increase. The message names the place.
    pub fn custom(paths: Vec<Vec<Waypoint>>) -> Result<Self> {
        if paths.is_empty() || paths.len() > MAX_PATHS {
            return Err(Error::invalid(format!(
                "`paths` must hold 1 to {MAX_PATHS} paths, not {}.",
                paths.len()
            )));
        }
        for (number, path) in paths.iter().enumerate() {
            check(number, path)?;
        }
        Ok(Self(paths.into_iter().map(Stroke).collect()))
    }
}

fn check(number: usize, path: &[Waypoint]) -> Result<()> {
    if !(MIN_POINTS..=MAX_POINTS).contains(&path.len()) {
        return Err(Error::invalid(format!(
            "`paths[{number}]` must hold {MIN_POINTS} to {MAX_POINTS} points, not {}.",
            path.len()
        )));
    }
    for (position, waypoint) in path.iter().enumerate() {
        for (name, coordinate) in [("x", waypoint.at.x), ("y", waypoint.at.y)] {
            if !(coordinate.is_finite() && coordinate >= 0.0) {
                return Err(Error::invalid(format!(
                    "`paths[{number}][{position}].{name}` must be a number of 0 or more, not {coordinate}."
                )));
            }
        }
    }
    match path.windows(2).position(|pair| pair[0].time >= pair[1].time) {
        None => Ok(()),
        Some(position) => Err(Error::invalid(format!(
            "`paths[{number}][{}].time` is {} ms and must be later than the point before, at {} ms.",
            position + 1,
            path[position + 1].time.as_millis(),
            path[position].time.as_millis()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Point;

    fn at(x: f64, y: f64, time: u64) -> Waypoint {
        Waypoint::new(Point::new(x, y), Duration::from_millis(time))
    }

    fn path(points: usize) -> Vec<Waypoint> {
        (0..points).map(|number| at(1.0, 2.0, number as u64)).collect()
    }

    #[test]
    fn the_limits_themselves_are_allowed() {
        assert!(Gesture::custom(vec![path(MIN_POINTS)]).is_ok());
        let gesture = Gesture::custom(vec![path(MAX_POINTS); MAX_PATHS]).unwrap();
        assert_eq!(gesture.fingers(), MAX_PATHS);
        assert_eq!(gesture.strokes()[9].points(), path(MAX_POINTS));
    }

    #[test]
    fn a_wrong_path_is_named_with_its_place() {
        for (paths, named) in [
            (vec![], "`paths` must hold 1 to 10 paths, not 0."),
            (vec![path(2); MAX_PATHS + 1], "`paths` must hold 1 to 10 paths, not 11."),
            (vec![path(2), path(1)], "`paths[1]` must hold 2 to 100 points, not 1."),
            (vec![path(MAX_POINTS + 1)], "`paths[0]` must hold 2 to 100 points, not 101."),
            (
                vec![vec![at(0.0, 0.0, 0), at(-1.0, 0.0, 1)]],
                "`paths[0][1].x` must be a number of 0 or more, not -1.",
            ),
            (
                vec![vec![at(0.0, f64::NAN, 0), at(1.0, 0.0, 1)]],
                "`paths[0][0].y` must be a number of 0 or more, not NaN.",
            ),
            (
                vec![vec![at(0.0, 0.0, 5), at(1.0, 0.0, 5)]],
                "`paths[0][1].time` is 5 ms and must be later than the point before, at 5 ms.",
            ),
        ] {
            assert_eq!(Gesture::custom(paths).unwrap_err().message(), named);
        }
    }
}
