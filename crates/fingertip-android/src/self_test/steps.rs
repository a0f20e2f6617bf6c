//! The steps, in their order: each tries one thing and looks whether it happened.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::prelude::*;
use fingertip_core::target::{
    Capabilities, Direction, Expected, Key, LogLevel, LogQuery, NodeAction, Scope, Screenshot,
    ScreenshotRequest, SystemAction,
};
use fingertip_core::{Deadline, Error, Flags, NodeIndex, Reason, Result, Snapshot, fingerprint, hit};

use crate::Device;
use crate::shell::command;
use crate::wait::pause;

/// How long an effect may take to be seen.
const SEEN_WITHIN: Duration = Duration::from_secs(5);
/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How many looks are timed.
const TIMED_LOOKS: u32 = 10;
/// Every script at once: marks, right to left, wide characters, and one beyond the basic plane.
const UNICODE: &str = "Fingertip e\u{301} שלום 你好 👋";
const SETTINGS: &str = "am start -W -a android.settings.SETTINGS";

/// What is tried, in this order. What the driver cannot do is said and is no failure.
pub(super) const NAMES: [&str; 17] = [
    "open Settings",
    "read the screen",
    "time ten looks",
    "click by node",
    "report changes",
    "back",
    "tap",
    "scroll by finger",
    "two fingers",
    "picture",
    "clipboard",
    "set any text",
    "type and delete",
    "clear the text",
    "panels",
    "recents and home",
    "log",
];

/// Who brings Settings to the front.
#[derive(Clone, Copy)]
pub(super) enum Opener<'a> {
    /// A command of the phone's shell.
    Shell(&'a Device),
    /// The app, on its user's order, just before the test.
    App,
}

pub(super) struct Test<'a> {
    target: &'a dyn Target,
    opener: Opener<'a>,
    /// A row was clicked, and led away from the list.
    led_away: bool,
    /// The activity count before the first change that is made.
    activity: u64,
}

impl<'a> Test<'a> {
    pub(super) fn new(target: &'a dyn Target, opener: Opener<'a>) -> Self {
        Self { target, opener, led_away: false, activity: 0 }
    }

    pub(super) async fn step(&mut self, name: &str, deadline: Deadline) -> Result<String> {
        match name {
            "open Settings" => self.open(deadline).await,
            "read the screen" => self.read(deadline).await,
            "time ten looks" => self.time_looks(deadline).await,
            "click by node" => self.click(deadline).await,
            "report changes" => Ok(self.changes()),
            "back" => self.back(deadline).await,
            "tap" => self.tap(deadline).await,
            "scroll by finger" => self.scroll(deadline).await,
            "two fingers" => self.two_fingers(deadline).await,
            "picture" => self.picture(deadline).await,
            "clipboard" => self.clipboard(deadline).await,
            "set any text" => self.set_text(deadline).await,
            "type and delete" => self.type_and_delete(deadline).await,
            "clear the text" => self.clear(deadline).await,
            "panels" => self.panels(deadline).await,
            "recents and home" => self.recents_and_home(deadline).await,
            _ => self.log(deadline).await,
        }
    }

    async fn open(&mut self, deadline: Deadline) -> Result<String> {
        if let Opener::Shell(device) = self.opener {
            command::run(device, &format!("{SETTINGS} >/dev/null"), deadline).await?;
        }
        let seen = self.until(deadline, "Settings in front", in_settings).await?;
        self.activity = self.activity();
        Ok(format!("{} windows", seen.windows().len()))
    }

    async fn read(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.look(deadline).await?;
        let count = |wanted: &dyn Fn(&fingertip_core::Node) -> bool| {
            snapshot.nodes().iter().filter(|node| wanted(node)).count()
        };
        let (texts, handles) = (count(&|node| node.text.is_some()), count(&|node| node.handle.is_some()));
        if texts == 0 {
            return Err(failed("no element has a text"));
        }
        let clickable = count(&|node| node.is(Flags::CLICKABLE));
        Ok(format!(
            "{} elements, {texts} with text, {clickable} clickable, {handles} with handle, settled: {}",
            snapshot.nodes().len(),
            snapshot.settled
        ))
    }

    async fn time_looks(&self, deadline: Deadline) -> Result<String> {
        let mut times = Vec::new();
        for _ in 0..TIMED_LOOKS {
            let start = Instant::now();
            self.look(deadline).await?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        let middle = times[times.len() / 2];
        Ok(format!("fastest {:.1} ms, median {:.1} ms", millis(times[0]), millis(middle)))
    }

    async fn click(&mut self, deadline: Deadline) -> Result<String> {
        let snapshot = self.look(deadline).await?;
        let row = row(&snapshot)?;
        let able = self.target.elements().filter(|able| able.can_act(&snapshot, row, &NodeAction::Click));
        let Some(elements) = able else { return Ok("this driver only taps".to_owned()) };
        let before = fingerprint::of(&snapshot);
        elements.act(&snapshot, row, &NodeAction::Click, deadline).await?;
        self.led_away = true;
        self.until(deadline, "another screen", |now| fingerprint::of(now) != before).await?;
        Ok("another screen opened".to_owned())
    }

    fn changes(&self) -> String {
        if !self.target.capabilities().contains(Capabilities::EVENTS) {
            return "this driver does not report changes".to_owned();
        }
        format!("{} changes reported", self.activity() - self.activity)
    }

    async fn back(&self, deadline: Deadline) -> Result<String> {
        if !self.led_away {
            return Ok("nothing to go back from".to_owned());
        }
        self.system(SystemAction::Back, deadline).await?;
        self.until(deadline, "Settings again", |now| in_settings(now) && row(now).is_ok()).await?;
        Ok("Settings again".to_owned())
    }

    async fn tap(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.look(deadline).await?;
        let row = row(&snapshot)?;
        let at = hit::aim(&snapshot, row).map_err(|obstacle| failed(&obstacle.describe(&snapshot)))?;
        let before = fingerprint::of(&snapshot);
        self.gesture(&Gesture::tap(at), deadline).await?;
        self.until(deadline, "another screen", |now| fingerprint::of(now) != before).await?;
        self.system(SystemAction::Back, deadline).await?;
        self.until(deadline, "Settings again", |now| in_settings(now) && row_is_there(now)).await?;
        Ok("another screen opened, and back".to_owned())
    }

    async fn scroll(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.look(deadline).await?;
        let list = snapshot.indices().find(|index| snapshot.node(*index).is(Flags::SCROLLABLE));
        let area = list.map_or(snapshot.screen.bounds(), |list| snapshot.node(list).bounds);
        let before = fingerprint::of(&snapshot);
        self.gesture(&Gesture::scroll(area, Direction::Down, Amount::Medium), deadline).await?;
        self.until(deadline, "a scrolled list", |now| fingerprint::of(now) != before).await?;
        self.gesture(&Gesture::scroll(area, Direction::Up, Amount::Large), deadline).await?;
        Ok("down and up again".to_owned())
    }

    async fn two_fingers(&self, deadline: Deadline) -> Result<String> {
        if !self.target.capabilities().contains(Capabilities::MULTI_TOUCH) {
            return Ok("this phone takes one finger".to_owned());
        }
        let bounds = self.look(deadline).await?.screen.bounds();
        let pinch = Gesture::pinch(bounds.center(), 0.8, Duration::from_millis(300), bounds)
            .map_err(|error| failed(&error.to_string()))?;
        self.gesture(&pinch, deadline).await?;
        Ok("taken; Settings shows no effect of it".to_owned())
    }

    async fn picture(&self, deadline: Deadline) -> Result<String> {
        let request = ScreenshotRequest { region: None, longest_side: Some(700), quality: 80 };
        Ok(match offered(self.target.pictures())?.screenshot(request, deadline).await? {
            Screenshot::Jpeg { width, height, bytes } => {
                format!("{width}x{height} JPEG of {} bytes", bytes.len())
            }
            Screenshot::Raw(pixels) => format!("{}x{} pixels", pixels.width, pixels.height),
            _ => "of a kind this test does not know".to_owned(),
        })
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<String> {
        let Some(clipboard) = self.target.clipboard() else { return Ok("not by this driver".to_owned()) };
        if !clipboard.is_readable() {
            return Ok("left alone: what is on it cannot be read, and so not be put back".to_owned());
        }
        let before = clipboard.get_clipboard(deadline).await?;
        clipboard.set_clipboard(UNICODE, deadline).await?;
        let held = clipboard.get_clipboard(deadline).await?;
        clipboard.set_clipboard(before.as_deref().unwrap_or_default(), deadline).await?;
        if held.as_deref() == Some(UNICODE) {
            Ok("written, read, put back".to_owned())
        } else {
            Err(failed("it held another text than was written"))
        }
    }

    async fn set_text(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.field(deadline).await?;
        let field = editable(&snapshot).ok_or_else(|| failed("no text field"))?;
        let by_agent = self.target.capabilities().contains(Capabilities::CLIPBOARD);
        let text = if by_agent { UNICODE } else { "Fingertip" };
        offered(self.target.text_fields())?.set_text(&snapshot, field, text, deadline).await?;
        self.until(deadline, "the text", |now| held(now) == Some(text)).await?;
        Ok(format!("{} characters read back", text.chars().count()))
    }

    async fn type_and_delete(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.field(deadline).await?;
        let before = held(&snapshot).unwrap_or_default().to_owned();
        let keyboard = offered(self.target.keyboard())?;
        keyboard.type_text("xy", &Expected::anyone(), deadline).await?;
        let typed = format!("{before}xy");
        self.until(deadline, "the typed text", |now| held(now) == Some(typed.as_str())).await?;
        keyboard.press_key(Key::Delete.into(), &Expected::anyone(), deadline).await?;
        let deleted = format!("{before}x");
        self.until(deadline, "a character less", |now| held(now) == Some(deleted.as_str())).await?;
        Ok("two characters typed, one deleted".to_owned())
    }

    async fn clear(&self, deadline: Deadline) -> Result<String> {
        let snapshot = self.field(deadline).await?;
        let field = editable(&snapshot).ok_or_else(|| failed("no text field"))?;
        offered(self.target.text_fields())?.set_text(&snapshot, field, "", deadline).await?;
        self.until(deadline, "an empty field", |now| held(now).is_none()).await?;
        Ok("empty".to_owned())
    }

    async fn panels(&self, deadline: Deadline) -> Result<String> {
        self.system(SystemAction::Notifications, deadline).await?;
        self.system(SystemAction::QuickSettings, deadline).await?;
        self.system(SystemAction::Back, deadline).await?;
        Ok("both opened".to_owned())
    }

    async fn recents_and_home(&self, deadline: Deadline) -> Result<String> {
        self.system(SystemAction::Recents, deadline).await?;
        self.system(SystemAction::Home, deadline).await?;
        self.until(deadline, "another app than Settings", |now| !in_settings(now)).await?;
        Ok("the home screen".to_owned())
    }

    async fn log(&self, deadline: Deadline) -> Result<String> {
        let Some(logs) = self.target.logs() else { return Ok("not by this driver".to_owned()) };
        let query =
            LogQuery { limit: 10, since: None, until: None, tag: None, level: LogLevel::Info, package: None };
        let page = logs.read_logs(&query, deadline).await?;
        if page.lines.is_empty() {
            Err(failed("it is empty"))
        } else {
            Ok(format!("{} lines", page.lines.len()))
        }
    }

    /// A screen with a text field: this one, or the one that a search button opens.
    async fn field(&self, deadline: Deadline) -> Result<Snapshot> {
        let snapshot = self.look(deadline).await?;
        if editable(&snapshot).is_some() {
            return Ok(snapshot);
        }
        let search = snapshot.indices().find(|index| {
            let node = snapshot.node(*index);
            let names = [&node.text, &node.description, &node.resource_id, &node.hint];
            node.is(Flags::VISIBLE)
                && names.into_iter().flatten().any(|name| name.to_lowercase().contains("search"))
        });
        let search = search.ok_or_else(|| failed("Settings shows no search"))?;
        let at = hit::aim(&snapshot, search).map_err(|obstacle| failed(&obstacle.describe(&snapshot)))?;
        self.gesture(&Gesture::tap(at), deadline).await?;
        self.until(deadline, "a text field", |now| editable(now).is_some()).await
    }

    fn activity(&self) -> u64 {
        self.target.changes().map_or(0, Changes::activity)
    }

    async fn gesture(&self, gesture: &Gesture, deadline: Deadline) -> Result<()> {
        offered(self.target.touch())?.gesture(gesture, &Expected::anyone(), deadline).await
    }

    async fn system(&self, action: SystemAction, deadline: Deadline) -> Result<()> {
        offered(self.target.system_keys())?.system(action, deadline).await
    }

    async fn look(&self, deadline: Deadline) -> Result<Snapshot> {
        self.target.survey().snapshot(&Scope::Screen, deadline).await
    }

    async fn until(
        &self,
        deadline: Deadline,
        what: &str,
        seen: impl Fn(&Snapshot) -> bool,
    ) -> Result<Snapshot> {
        let limit = deadline.slice(SEEN_WITHIN);
        loop {
            let snapshot = self.look(deadline).await?;
            if seen(&snapshot) {
                return Ok(snapshot);
            }
            if limit.passed() {
                return Err(failed(&format!("not seen: {what}")));
            }
            pause(LOOK_EVERY, limit).await;
        }
    }
}

fn in_settings(snapshot: &Snapshot) -> bool {
    snapshot.app.as_deref().is_some_and(|app| app.contains("settings"))
}

/// A row of the list that leads somewhere: clickable, with words in it, and without a switch.
fn row(snapshot: &Snapshot) -> Result<NodeIndex> {
    let leads = |index: &NodeIndex| {
        let node = snapshot.node(*index);
        let inside = || snapshot.subtree(*index).map(|inner| snapshot.node(inner));
        node.is(Flags::CLICKABLE | Flags::ENABLED | Flags::VISIBLE)
            && !node.is(Flags::EDITABLE)
            && inside().any(|inner| inner.text.is_some())
            && !inside().any(|inner| inner.is(Flags::CHECKABLE) || inner.is(Flags::EDITABLE))
            && snapshot.ancestors(*index).any(|outer| snapshot.node(outer).is(Flags::SCROLLABLE))
            && hit::aim(snapshot, *index).is_ok()
    };
    snapshot.indices().find(leads).ok_or_else(|| failed("no row to click"))
}

fn row_is_there(snapshot: &Snapshot) -> bool {
    row(snapshot).is_ok()
}

fn editable(snapshot: &Snapshot) -> Option<NodeIndex> {
    snapshot.indices().find(|index| snapshot.node(*index).is(Flags::EDITABLE | Flags::VISIBLE))
}

fn held(snapshot: &Snapshot) -> Option<&str> {
    snapshot.node(editable(snapshot)?).text.as_deref()
}

/// A part that every driver has, on a phone that lets it.
fn offered<T: ?Sized>(part: Option<&T>) -> Result<&T> {
    part.ok_or_else(|| failed("this phone does not let the driver do it"))
}

fn failed(what: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("{what}."))
}

fn millis(span: Duration) -> f64 {
    span.as_secs_f64() * 1000.0
}
