//! A phone whose every operation takes a time of the seed's choice, fails or hangs, and which writes down what reached it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::sync::lock;
use fingertip_core::target::{Drag, Expected, Scope, TargetInfo, TargetKind};
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_core::{Deadline, Error, Reason, Result, Snapshot, Window, clock};

use super::random::Random;

/// Something that acted on a device.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) device: String,
    /// The call it was for, known by what was done.
    pub(crate) call: u64,
    pub(crate) begun: Instant,
    /// When it ended, or was dropped; `None` while it is under way.
    pub(crate) ended: Option<Instant>,
    /// By when the dispatcher wanted it done.
    pub(crate) deadline: Instant,
}

/// What reached all devices, in order.
pub(crate) type Record = Arc<Mutex<Vec<Write>>>;

/// A phone of a seed.
pub(crate) struct Modelled {
    inner: ScriptedTarget,
    random: Mutex<Random>,
    record: Record,
    calm: Mutex<bool>,
}

impl Modelled {
    pub(crate) fn new(name: &str, random: Random, record: Record) -> Self {
        let inner = ScriptedTarget::new(name, sample::phone());
        Self { inner, random: Mutex::new(random), record, calm: Mutex::new(false) }
    }

    /// From now on nothing goes wrong.
    pub(crate) fn calm_down(&self) {
        *self.calm.lock().expect("a lock") = true;
    }

    /// Takes as long as the seed says. A target ends by its deadline; one that hangs does not.
    async fn trouble(&self, deadline: Deadline, longest: u64) -> Result<()> {
        if *self.calm.lock().expect("a lock") {
            return Ok(());
        }
        let (yields, takes, fate) = {
            let mut random = lock(&self.random);
            (random.below(3), random.span(longest), random.below(100))
        };
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
        if fate == 0 {
            std::future::pending::<()>().await;
        }
        let takes = if fate < 5 { Duration::from_secs(30) } else { takes };
        if tokio::time::timeout_at(deadline.instant().into(), tokio::time::sleep(takes)).await.is_err() {
            return Err(Error::new(Reason::Timeout, "The phone did not answer in time."));
        }
        match fate {
            5 | 6 => Err(Error::new(Reason::ActionFailed, "The phone failed.")),
            7 => panic!("the seed says to panic"),
            _ => Ok(()),
        }
    }

    async fn write(&self, call: u64, deadline: Deadline, lasts: Duration) -> Result<()> {
        let _open = Open::begin(self, call, deadline);
        tokio::time::sleep(lasts).await;
        self.trouble(deadline, 600).await
    }
}

/// A write under way; it ends when this is dropped, however that comes.
struct Open<'a>(&'a Modelled, usize);

impl<'a> Open<'a> {
    fn begin(target: &'a Modelled, call: u64, deadline: Deadline) -> Self {
        let mut record = lock(&target.record);
        record.push(Write {
            device: target.inner.info().name,
            call,
            begun: clock::now(),
            ended: None,
            deadline: deadline.instant(),
        });
        Self(target, record.len() - 1)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        lock(&self.0.record)[self.1].ended = Some(clock::now());
    }
}

/// Changes are not reported, as the scripted target waits for them by the real clock.
impl Target for Modelled {
    fn kind(&self) -> TargetKind {
        self.inner.kind()
    }

    fn info(&self) -> TargetInfo {
        self.inner.info()
    }

    fn machine_name(&self) -> Option<String> {
        None
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn changes(&self) -> Option<&dyn Changes> {
        None
    }

    fn watching(&self) -> Option<&dyn Watching> {
        None
    }

    fn elements(&self) -> Option<&dyn Elements> {
        self.inner.elements()
    }

    fn values(&self) -> Option<&dyn Values> {
        self.inner.values()
    }

    fn text_fields(&self) -> Option<&dyn TextFields> {
        self.inner.text_fields()
    }

    fn keyboard(&self) -> Option<&dyn Keyboard> {
        self.inner.keyboard()
    }

    fn system_keys(&self) -> Option<&dyn SystemKeys> {
        self.inner.system_keys()
    }

    fn touch(&self) -> Option<&dyn Touch> {
        Some(self)
    }

    fn pointer(&self) -> Option<&dyn Pointer> {
        self.inner.pointer()
    }

    fn pictures(&self) -> Option<&dyn Pictures> {
        self.inner.pictures()
    }

    fn clipboard(&self) -> Option<&dyn Clipboard> {
        Some(self)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        self.inner.logs()
    }

    fn endings(&self) -> Option<&dyn Endings> {
        self.inner.endings()
    }

    fn applications(&self) -> Option<&dyn Applications> {
        self.inner.applications()
    }

    fn app_closer(&self) -> Option<&dyn AppCloser> {
        self.inner.app_closer()
    }

    fn window_manager(&self) -> Option<&dyn WindowManager> {
        self.inner.window_manager()
    }
}

#[async_trait]
impl Look for Modelled {
    async fn snapshot(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.trouble(deadline, 900).await?;
        self.inner.snapshot(scope, deadline).await
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.snapshot(scope, deadline).await
    }
}

#[async_trait]
impl Survey for Modelled {
    async fn windows(&self, deadline: Deadline) -> Result<Vec<Window>> {
        self.trouble(deadline, 300).await?;
        self.inner.windows(deadline).await
    }
}

#[async_trait]
impl Touch for Modelled {
    fn multi_touch(&self) -> bool {
        true
    }

    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        let call = gesture.strokes()[0].start().at.x.round();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "columns are small and whole"
        )]
        self.write(call as u64, deadline, gesture.duration()).await?;
        self.inner.gesture(gesture, to, deadline).await
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        self.inner.drag(drag, to, deadline).await
    }
}

#[async_trait]
impl Clipboard for Modelled {
    fn is_readable(&self) -> bool {
        self.inner.is_readable()
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.write(text.parse().expect("the text is a number"), deadline, Duration::ZERO).await?;
        self.inner.set_clipboard(text, deadline).await
    }

    async fn get_clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.trouble(deadline, 300).await?;
        self.inner.get_clipboard(deadline).await
    }
}
