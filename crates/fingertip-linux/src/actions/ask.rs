//! Questions to any object, with their answers as values.

use std::time::Duration;

use fingertip_core::{Deadline, Point, Rect};
use serde::Deserialize;
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Type};

use crate::bus::{CallError, Command, interface};
use crate::handle::Handle;
use crate::peer::Peer;
use crate::tree::detail::actions::MOST_ACTIONS;

/// How long a command may keep its answer back before the application is asked whether it lives.
const ANSWER_WITHIN: Duration = Duration::from_millis(100);
/// How long it may take to answer that.
const ALIVE_WITHIN: Duration = Duration::from_millis(500);
/// Coordinates from the corner of the window; those of the screen are not known everywhere.
const WINDOW: u32 = 1;

/// What an object answers.
pub(crate) type Answer<T> = Result<T, CallError>;

/// An object, asked by a deadline.
#[derive(Clone)]
pub(crate) struct Ask<'a> {
    pub(crate) peer: &'a Peer,
    pub(crate) handle: Handle,
    pub(crate) deadline: Deadline,
}

impl Ask<'_> {
    /// The same questions to another object.
    pub(super) fn of(&self, handle: Handle) -> Self {
        Self { handle, ..self.clone() }
    }

    /// Calls a method whose answer is of this type.
    pub(crate) async fn call<B, T>(&self, interface: &str, member: &str, body: &B) -> Answer<T>
    where
        B: serde::Serialize + DynamicType + Sync,
        T: for<'d> Deserialize<'d> + Type,
    {
        let reply = self.peer.call(&self.handle, interface, member, body, self.deadline).await?;
        reply.body().deserialize().map_err(|error| CallError::Malformed(error.to_string()))
    }

    pub(crate) async fn role(&self) -> Answer<u32> {
        self.call(interface::ACCESSIBLE, "GetRole", &()).await
    }

    pub(super) async fn name(&self) -> Answer<String> {
        self.peer.property(&self.handle, interface::ACCESSIBLE, "Name", self.deadline).await
    }

    /// All states as one number.
    pub(crate) async fn states(&self) -> Answer<u64> {
        let halves: Vec<u32> = self.call(interface::ACCESSIBLE, "GetState", &()).await?;
        let half = |position: usize| halves.get(position).copied().map_or(0, u64::from);
        Ok(half(0) | half(1) << 32)
    }

    /// The names of its actions; none for an object without any. They are asked for one by one: all at once ends Firefox (see
    /// `Toolkit::tells_actions_at_once`), and Chromium does not tell them so.
    pub(super) async fn actions(&self) -> Answer<Vec<String>> {
        let asked = self.peer.property::<i32>(&self.handle, interface::ACTION, "NActions", self.deadline);
        let count = match asked.await {
            Err(CallError::Missing(_) | CallError::Refused(_)) => return Ok(Vec::new()),
            answer => answer?.clamp(0, MOST_ACTIONS),
        };
        let named =
            (0..count).map(|number| async move { self.call(interface::ACTION, "GetName", &number).await });
        futures_util::future::try_join_all(named).await
    }

    pub(super) async fn parent(&self) -> Answer<Handle> {
        let value: OwnedValue =
            self.peer.property(&self.handle, interface::ACCESSIBLE, "Parent", self.deadline).await?;
        let (bus_name, path) = <(String, OwnedObjectPath)>::try_from(value)
            .map_err(|error| CallError::Malformed(error.to_string()))?;
        Ok(Handle::new(&bus_name, path.as_str()))
    }

    /// Its children where there are at most so many, else none.
    pub(super) async fn few_children(&self, most: i32) -> Answer<Vec<Handle>> {
        let count = self.child_count().await?;
        if count < 1 || count > most {
            return Ok(Vec::new());
        }
        let children: Vec<(String, OwnedObjectPath)> =
            self.call(interface::ACCESSIBLE, "GetChildren", &()).await?;
        Ok(children.into_iter().map(|(bus_name, path)| Handle::new(&bus_name, path.as_str())).collect())
    }

    pub(super) async fn child_count(&self) -> Answer<i32> {
        self.peer.property(&self.handle, interface::ACCESSIBLE, "ChildCount", self.deadline).await
    }

    /// Its place among its siblings.
    pub(super) async fn index(&self) -> Answer<i32> {
        self.call(interface::ACCESSIBLE, "GetIndexInParent", &()).await
    }

    /// Its child at this place of the window; `None` when there is none, or something deeper.
    pub(super) async fn child_at(&self, place: Point) -> Answer<Option<Handle>> {
        let body = (place.x as i32, place.y as i32, WINDOW);
        let ((bus_name, path),): ((String, OwnedObjectPath),) =
            self.call(interface::COMPONENT, "GetAccessibleAtPoint", &body).await?;
        let found = Handle::new(&bus_name, path.as_str());
        if found.is_nothing() || found == self.handle || self.of(found.clone()).parent().await? != self.handle
        {
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// Where it is in its window.
    pub(super) async fn place(&self) -> Answer<Rect> {
        let ((left, top, width, height),): ((i32, i32, i32, i32),) =
            self.call(interface::COMPONENT, "GetExtents", &WINDOW).await?;
        Ok(Rect::new(left, top, left.saturating_add(width), top.saturating_add(height)))
    }

    /// How many characters its text has.
    pub(crate) async fn text_length(&self) -> Answer<i32> {
        self.peer.property(&self.handle, interface::TEXT, "CharacterCount", self.deadline).await
    }

    /// A number of its Value interface.
    pub(crate) async fn number(&self, name: &str) -> Answer<f64> {
        self.peer.property(&self.handle, interface::VALUE, name, self.deadline).await
    }

    /// Sets its number. Toolkits round to their own steps and clamp to their range.
    pub(crate) async fn set_number(&self, value: f64) -> Answer<()> {
        self.tell(Command::SetNumber(value)).await.map(drop)
    }

    /// Tells it to do something; `false` when it said no.
    ///
    /// What opens a dialog may keep its answer back until the dialog closes. So when none comes soon the application is
    /// asked something else: if it answers that, the command is under way.
    pub(crate) async fn tell(&self, command: Command<'_>) -> Answer<bool> {
        let mut done = std::pin::pin!(self.peer.tell(&self.handle, command, self.deadline));
        loop {
            let soon = self.deadline.slice(ANSWER_WITHIN);
            match tokio::time::timeout_at(soon.instant().into(), &mut done).await {
                Ok(answer) => return answer,
                Err(_) if self.deadline.passed() => return Err(CallError::Timeout),
                Err(_) => match self.goes_on().await {
                    Ok(_) => return Ok(true),
                    Err(CallError::Timeout) => {}
                    Err(error) => return Err(error),
                },
            }
        }
    }

    /// Whether it answers after the command reached it. A first answer may have overtaken the command, which comes by
    /// another line; a second one cannot.
    async fn goes_on(&self) -> Answer<u32> {
        self.still_answers().await?;
        self.still_answers().await
    }

    /// Whether it answers at the moment. Not to have done so in this short time is no reason to give its line up.
    pub(super) async fn still_answers(&self) -> Answer<u32> {
        let soon = self.deadline.slice(ALIVE_WITHIN).instant();
        tokio::time::timeout_at(soon.into(), self.role()).await.map_err(|_| CallError::Timeout)?
    }
}
