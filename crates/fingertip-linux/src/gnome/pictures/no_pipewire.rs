//! The same without PipeWire, whose library is one of the system: there are no pictures.

use std::sync::Arc;

use fingertip_core::target::Pixels;
use fingertip_core::{Error, Reason, Rect};

use super::Shared;
use crate::display::Offers;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Connect};

/// What this adds to what is given.
pub(super) const OFFERED: Offers = Offers::empty();

/// There is none.
pub(super) enum Camera {}

impl Connect for Camera {
    type Address = Arc<Shared>;
    const SERVER: &'static str = "PipeWire server";

    fn connect(_: &Arc<Shared>) -> Outcome<Self> {
        Err(Failure::Reported(Error::new(
            Reason::Unsupported,
            "GNOME gives pictures by PipeWire, without which this program was built.",
        )))
    }

    fn is_alive(&mut self) -> bool {
        match *self {}
    }
}

pub(super) fn answers(camera: &mut Camera, _: &CancelToken) -> Outcome<()> {
    match *camera {}
}

pub(super) fn shoot(camera: &mut Camera, _: Rect, _: &CancelToken) -> Outcome<Pixels> {
    match *camera {}
}
