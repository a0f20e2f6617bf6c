//! What an action changed, in lean lines: what a client needs to know instead of another look.
//!
//! Ids last, so that an element without a line is as it was. Clocks, progress and the keys of a keyboard are not news: bars and
//! keyboards are one line, and what a bar or a progress bar says is left out. A move of the focus is a line of its own; the
//! elements that lost and got it have none if they are otherwise as they were.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::{Line, Part, app_line, floats, lines, page_after, push_inner, push_quoted};
use crate::{NodeId, NoticeKind, Role, Snapshot, Toast, Window, WindowKind, diff, one_line};

/// The most lines that list what else can be pressed.
const TAIL: usize = 5;
/// Changes that are reported one by one, however much of a screen they are.
const FEW: usize = 4;
/// The most lines of one sort; how many more there are is said.
const MOST: usize = 60;

/// The word of a line that says that it has the focus.
const FOCUSED: &str = "focused";

/// How much is shown of what says how it turned out, in characters.
const MAX_EVIDENCE: usize = 300;

/// What is said where nothing could be compared.
const BLIND: &str = "what is in front exposes no elements; a screenshot shows it";

/// How long the old end of a line may be to be shown, in characters.
const MAX_OLD: usize = 60;

/// How an action turned out, in a word or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Something is different.
    Changed,
    /// Nothing that would be shown is.
    NoVisibleChange,
    /// Nothing is known: what is in front exposes no elements.
    CannotBeSeen,
    /// A dialog came up.
    OpenedDialog,
    /// A menu, a list of choices or another popup came up.
    OpenedPopup,
    /// Another screen of the application.
    OtherScreen,
    /// Another application is in front.
    LeftApp,
    /// The application asks the user for a permission.
    AskedPermission,
    /// The system says that an application does not respond.
    NotResponding,
    /// The application is gone, and may have quit by itself.
    Ended,
    /// The application crashed.
    Crashed,
}

impl Verdict {
    /// Its words in replies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::NoVisibleChange => "no visible change",
            Self::CannotBeSeen => "cannot be seen",
            Self::OpenedDialog => "opened a dialog",
            Self::OpenedPopup => "opened a popup",
            Self::OtherScreen => "another screen",
            Self::LeftApp => "left the app",
            Self::AskedPermission => "asks for a permission",
            Self::NotResponding => "not responding",
            Self::Ended => "the app ended",
            Self::Crashed => "crashed",
        }
    }
}

/// What changed between two looks, each thing as its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it turned out.
    pub verdict: Verdict,
    /// What says so, where that is not the screen itself.
    pub evidence: Option<String>,
    /// The short messages that were shown.
    pub toasts: Vec<Toast>,
    /// The windows of the application that opened, unless what came says the same.
    pub opened: Vec<String>,
    /// What came.
    pub added: Vec<String>,
    /// What is different now, with how it was.
    pub changed: Vec<String>,
    /// What went.
    pub removed: Vec<String>,
    /// What has the focus now, where the lines do not tell that it went elsewhere; empty where nothing has it any more.
    pub focus: Option<Vec<NodeId>>,
    /// What else can be pressed, where nothing that can be pressed came.
    pub pressable: Vec<String>,
    /// The whole screen instead, where most of it is new.
    pub screen: Option<String>,
}

/// The news between two looks at the same part of a target.
#[must_use]
pub fn between(before: &Snapshot, after: &Snapshot) -> Report {
    let (old, new) = (Lines::of(before), Lines::of(after));
    let added: Vec<&(NodeId, Line)> = new.news.iter().filter(|(id, _)| !old.by_id.contains_key(id)).collect();
    let removed: Vec<&(NodeId, Line)> =
        old.news.iter().filter(|(id, _)| !new.by_id.contains_key(id)).collect();
    let changed: Vec<(&(NodeId, Line), &str)> = new
        .news
        .iter()
        .filter_map(|line| Some((line, old.by_id.get(&line.0)?.as_str())))
        .filter(|(line, was)| line.1.text != *was && without_focus(&line.1.text) != without_focus(was))
        .collect();
    let focus = focus_moved(&old, &new, added.iter().chain(changed.iter().map(|(line, _)| line)).copied());
    let count = added.len() + removed.len() + changed.len();
    let mostly_new = (added.len() + changed.len()) * 2 > new.news.len();
    let notice = after.notice.as_ref().filter(|notice| before.notice.as_ref() != Some(*notice));
    let toasts = new_toasts(before, after);
    let verdict = match (notice, opened(before, after)) {
        (Some(notice), _) => match notice.kind {
            NoticeKind::Crashed => Verdict::Crashed,
            NoticeKind::NotResponding => Verdict::NotResponding,
            NoticeKind::Permission => Verdict::AskedPermission,
        },
        _ if is_other_app(before, after) => Verdict::LeftApp,
        (None, Some(opened)) => opened,
        // On a desktop this is the title of a window, which may change while the screen stays the same.
        _ if before.activity != after.activity && mostly_new => Verdict::OtherScreen,
        _ if count > 0 || focus.is_some() || !toasts.is_empty() => Verdict::Changed,
        _ if new.is_blind(after) && before.activity != after.activity => Verdict::Changed,
        _ if new.is_blind(after) => Verdict::CannotBeSeen,
        _ => Verdict::NoVisibleChange,
    };
    let evidence = match verdict {
        Verdict::CannotBeSeen => Some(BLIND.to_owned()),
        _ => notice.map(|notice| one_line(&notice.text)),
    };
    let mut report = Report { evidence, toasts, ..Report::of(verdict) };
    let is_other = matches!(verdict, Verdict::LeftApp | Verdict::OtherScreen);
    if is_other || is_other_app(before, after) || (mostly_new && count > FEW) {
        report.screen = Some(whole(after));
        return report;
    }
    if !added.iter().any(|(_, line)| line.acts) {
        // What changed is shown as it is now.
        let shown: HashSet<NodeId> = changed.iter().map(|((id, _), _)| *id).collect();
        let acting = new.news.iter().filter(|(id, line)| line.acts && !shown.contains(id));
        report.pressable = acting.take(TAIL).map(|(id, line)| format!("{id} {}", line.text)).collect();
    }
    report.added = capped(added.iter().map(|(id, line)| format!("{id} {}", line.text)), added.len());
    report.removed = capped(removed.iter().map(|(id, line)| format!("{id} {}", line.text)), removed.len());
    let lines =
        changed.iter().map(|((id, line), was)| format!("{id} {}{}", line.text, as_it_was(was, &line.text)));
    report.changed = capped(lines, changed.len());
    report.opened = windows_opened(before, after, &report.added);
    report.focus = focus;
    report
}

/// Whether another application is in front. One that said its name only now is the same.
fn is_other_app(before: &Snapshot, after: &Snapshot) -> bool {
    let in_front = |snapshot: &Snapshot| {
        let own = |window: &&Window| window.app.is_some() && window.app == snapshot.app;
        snapshot.windows().iter().find(own).cloned()
    };
    let is_same = || Some(in_front(before)?.is_of_same_app(&in_front(after)?));
    before.app != after.app && !is_same().unwrap_or(false)
}

/// What has the focus now, where a client that goes by these new lines would believe otherwise.
fn focus_moved<'a>(
    old: &'a Lines,
    new: &'a Lines,
    told: impl Iterator<Item = &'a (NodeId, Line)>,
) -> Option<Vec<NodeId>> {
    let focused = |lines: &'a [(NodeId, Line)]| {
        lines.iter().filter(|(_, line)| has_focus(&line.text)).map(|(id, _)| *id)
    };
    let mut believed: HashSet<NodeId> = focused(&old.news).filter(|id| new.by_id.contains_key(id)).collect();
    for (id, line) in told {
        if has_focus(&line.text) {
            believed.insert(*id);
        } else {
            believed.remove(id);
        }
    }
    let now: Vec<NodeId> = focused(&new.news).collect();
    let is_known = now.len() == believed.len() && now.iter().all(|id| believed.contains(id));
    (!is_known).then_some(now)
}

/// Whether a line says that it has the focus.
fn has_focus(line: &str) -> bool {
    line.contains(FOCUSED) && words(line).any(|word| word == FOCUSED)
}

/// A line without the word that says that it has the focus.
fn without_focus(line: &str) -> String {
    words(line).filter(|word| *word != FOCUSED).collect::<Vec<_>>().join(" ")
}

/// The words of a line, a text in quotes being one. No text can end its quotes.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    line.split(move |letter| {
        quoted ^= letter == '"';
        letter == ' ' && !quoted
    })
}

/// The short messages that were shown since the look before.
fn new_toasts(before: &Snapshot, after: &Snapshot) -> Vec<Toast> {
    let last = before.toasts.last().map_or(0, |toast| toast.number);
    after.toasts.iter().filter(|toast| toast.number > last).cloned().collect()
}

/// The windows of the application that opened. Those of others may have been there before, below what was looked at, and a
/// phone reports no window behind another.
fn windows_opened(before: &Snapshot, after: &Snapshot, added: &[String]) -> Vec<String> {
    if !after.lasting_handles {
        return Vec::new();
    }
    let own = |at: &usize| {
        let window = &after.windows()[*at];
        let is_content =
            matches!(window.kind, WindowKind::Application | WindowKind::Dialog | WindowKind::Popup);
        is_content && window.app.is_some() && window.app == after.app
    };
    let mut named: Vec<String> = Vec::new();
    for at in diff::windows_opened(before, after).into_iter().filter(own) {
        let Some(title) = after.windows()[at].title.as_deref() else { continue };
        let mut quoted = String::new();
        push_quoted(&mut quoted, title);
        if !quoted.is_empty() && !added.iter().any(|line| line.contains(&quoted)) {
            named.push(format!("opened {}{quoted}", after.windows()[at].kind.name()));
        }
    }
    named
}

/// The first page of a screen without its size and without the bars of the system, which are the same wherever one is.
#[must_use]
pub fn whole(snapshot: &Snapshot) -> String {
    let all = lines(snapshot, Part::Screen, false).into_iter();
    let own: Vec<Line> = all.filter(|line| !is_bar(snapshot, line)).collect();
    page_after(app_line(snapshot), snapshot, &own, 0, |_| "get_screen_state shows them".to_owned())
}

fn is_bar(snapshot: &Snapshot, line: &Line) -> bool {
    line.node.is_some_and(|node| super::is_bar(snapshot, snapshot.window_of(node)))
}

impl Report {
    /// Nothing but how it turned out.
    #[must_use]
    pub fn of(verdict: Verdict) -> Self {
        Self {
            verdict,
            evidence: None,
            toasts: Vec::new(),
            opened: Vec::new(),
            added: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
            focus: None,
            pressable: Vec::new(),
            screen: None,
        }
    }

    /// How it turned out, and what says so, in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let mut out = self.verdict.name().to_owned();
        if let Some(evidence) = self.evidence.as_deref().filter(|said| !said.is_empty()) {
            out.push_str(": \"");
            push_inner(&mut out, evidence, MAX_EVIDENCE);
            out.push('"');
        }
        out
    }

    /// The report as a model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = self.headline();
        for toast in &self.toasts {
            out.push_str("\ntoast");
            push_quoted(&mut out, &toast.text);
        }
        for line in &self.opened {
            let _ = write!(out, "\n{line}");
        }
        if let Some(screen) = &self.screen {
            let _ = write!(out, "\n{screen}");
            return out;
        }
        let mut push = |sign, lines: &[String]| {
            lines.iter().for_each(|line| _ = write!(out, "\n{sign} {line}"));
        };
        push('+', &self.added);
        push('~', &self.changed);
        push('-', &self.removed);
        if let Some(focus) = &self.focus {
            push('~', &[focus_line(focus)]);
        }
        push('=', &self.pressable);
        out
    }
}

/// The lines of a screen that are worth a report, and all of them by id.
struct Lines {
    news: Vec<(NodeId, Line)>,
    by_id: HashMap<NodeId, String>,
}

impl Lines {
    fn of(snapshot: &Snapshot) -> Self {
        let all = lines(snapshot, Part::Screen, false);
        let named = all.into_iter().filter_map(|line| Some((snapshot.node(line.node?).id?, line)));
        let named: Vec<(NodeId, Line)> = named.collect();
        let by_id = named.iter().map(|(id, line)| (*id, line.text.clone())).collect();
        let is_news = |(_, line): &(NodeId, Line)| {
            let moves = |node| snapshot.node(node).role == Role::ProgressBar;
            !is_bar(snapshot, line) && !line.node.is_some_and(moves)
        };
        Self { news: named.into_iter().filter(is_news).collect(), by_id }
    }

    /// Whether the window in front has no line, so that a change in it could not be known.
    fn is_blind(&self, snapshot: &Snapshot) -> bool {
        let front = snapshot.focused_window();
        let in_front = |line: &Line| {
            front.is_none_or(|front| line.node.is_some_and(|node| snapshot.window_of(node) == front))
        };
        !snapshot.windows().is_empty() && !self.news.iter().any(|(_, line)| in_front(line))
    }
}

/// Whether a dialog or a popup came up.
fn opened(before: &Snapshot, after: &Snapshot) -> Option<Verdict> {
    let more = |kind| {
        let count =
            |snapshot: &Snapshot| snapshot.windows().iter().filter(|window| window.kind == kind).count();
        count(after) > count(before)
    };
    let kinds = [(WindowKind::Dialog, Verdict::OpenedDialog), (WindowKind::Popup, Verdict::OpenedPopup)];
    let named = kinds.into_iter().find(|(kind, _)| more(*kind)).map(|(_, verdict)| verdict);
    let floats = |snapshot: &Snapshot| snapshot.focused_window().is_some_and(|at| floats(snapshot, at));
    named.or_else(|| (floats(after) && !floats(before)).then_some(Verdict::OpenedDialog))
}

/// What has the focus, as a line of the report.
fn focus_line(focus: &[NodeId]) -> String {
    let ids: Vec<String> = focus.iter().map(NodeId::to_string).collect();
    if ids.is_empty() { "nothing has the focus".to_owned() } else { format!("focus {}", ids.join(" ")) }
}

/// How a line was, where that is more than it is, and unless it is long: whoever needs it has seen it before. Never a part of
/// a text, in which a secret that stands there could not be known any more.
fn as_it_was(was: &str, is: &str) -> String {
    let was = without_focus(was);
    let (old, new): (Vec<&str>, Vec<&str>) =
        (words(&was).collect(), words(is).filter(|word| *word != FOCUSED).collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count().min(most);
    let rest = old[head..old.len() - tail].join(" ");
    match rest.chars().count() {
        0 => String::new(),
        1..=MAX_OLD => format!(" (was {rest})"),
        _ => " (was …)".to_owned(),
    }
}

fn capped(lines: impl Iterator<Item = String>, count: usize) -> Vec<String> {
    let mut shown: Vec<String> = lines.take(MOST).collect();
    if count > MOST {
        shown.push(format!("and {} more; get_screen_state shows them", count - MOST));
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::id::{IdPool, Identities};
    use crate::test_support::{sample, tree};

    /// Both looks with ids that last from one to the other.
    fn looks(before: Snapshot, after: Snapshot) -> [Snapshot; 2] {
        let mut identities = Identities::new(Arc::new(IdPool::default()));
        [before, after].map(|mut snapshot| {
            identities.assign(&mut snapshot);
            snapshot
        })
    }

    fn with_text(snapshot: &Snapshot, old: &str, new: &str) -> Snapshot {
        let mut snapshot = snapshot.clone();
        for index in snapshot.indices() {
            if snapshot.node(index).text.as_deref() == Some(old) {
                snapshot.node_mut(index).text = Some(new.into());
            }
        }
        snapshot
    }

    #[test]
    fn nothing_is_no_visible_change_with_what_can_be_pressed() {
        let [before, after] = looks(sample::phone(), sample::phone());
        let report = between(&before, &after);
        assert_eq!(report.verdict, Verdict::NoVisibleChange);
        assert!(report.added.is_empty() && report.changed.is_empty() && report.removed.is_empty());
        assert_eq!(report.pressable.len(), TAIL);
    }

    #[test]
    fn a_change_shows_how_it_is_and_how_it_was() {
        let [before, after] =
            looks(sample::phone(), with_text(&sample::phone(), "Address book", "Address list"));
        let report = between(&before, &after);
        assert_eq!((report.verdict, report.changed.len()), (Verdict::Changed, 1));
        assert!(
            report.changed[0].ends_with(r#"text "Address list" (was "Address book")"#),
            "{:?}",
            report.changed
        );
    }

    #[test]
    fn a_long_old_text_is_not_repeated() {
        let long = "long ".repeat(20);
        let [before, after] = looks(
            with_text(&sample::phone(), "Address book", &long),
            with_text(&sample::phone(), "Address book", "Short"),
        );
        let changed = &between(&before, &after).changed[0];
        assert!(changed.ends_with(r#"text "Short" (was …)"#), "{changed}");
    }

    #[test]
    fn what_a_line_only_got_is_not_told_as_it_was() {
        let field = |text: &str| {
            tree(&format!(
                "screen 1080x2400@420\napp com.example .Main\nwindow \"W\" com.example [0,0,1080,2400] layer=1 focused\n\
                 EditText \"{text}\" d\"Name\" role=text_field [0,0,900,50] ce\nButton \"a\" [0,100,99,150] c\n\
                 Button \"b\" [0,200,99,250] c\nButton \"c\" [0,300,99,350] c\n"
            ))
        };
        let told = |before: &str, after: &str| {
            let [before, after] = looks(field(before), field(after));
            let changed = between(&before, &after).changed;
            assert_eq!(changed.len(), 1, "{changed:?}");
            changed[0].split_once(' ').expect("an id").1.to_owned()
        };
        assert_eq!(told("", "Ada (was x)"), r#"text_field "Ada (was x)" label "Name""#);
        assert_eq!(told("Bob", "Ada"), r#"text_field "Ada" label "Name" (was "Bob")"#);
        assert_eq!(told("Bob", ""), r#"text_field label "Name" (was "Bob")"#);
    }

    #[test]
    fn that_the_focus_moved_is_one_line() {
        let row = |focus| screen(&[(1, false, false), (2, false, false), (3, false, false)], focus);
        let [before, after] = looks(row(Some(1)), row(Some(3)));
        let report = between(&before, &after);
        assert_eq!((report.verdict, report.changed.len()), (Verdict::Changed, 0));
        let focused = Lines::of(&after).news[2].0;
        assert!(report.text().starts_with(&format!("changed\n~ focus {focused}\n= ")), "{}", report.text());
        let [before, after] = looks(row(Some(1)), row(None));
        assert!(between(&before, &after).text().contains("\n~ nothing has the focus\n"));
        // A line that is told for another reason says it itself, and one that had it is not left with it.
        let changed =
            |on| screen(&[(1, true, on), (2, false, false), (3, false, false)], Some(if on { 1 } else { 2 }));
        let [before, after] = looks(changed(false), changed(true));
        let report = between(&before, &after);
        assert!(report.changed[0].ends_with("on focused (was off)"), "{report:?}");
        assert_eq!(report.focus.map(|focus| focus.len()), Some(1));
    }

    #[test]
    fn another_app_is_shown_whole() {
        let mut other = sample::phone();
        other.app = Some("com.example.other".into());
        let [before, after] = looks(sample::phone(), other);
        let report = between(&before, &after);
        assert_eq!(report.verdict, Verdict::LeftApp);
        assert!(report.text().starts_with("left the app\napp com.example.other "), "{}", report.text());
    }

    #[test]
    fn an_application_that_says_its_name_late_is_not_left() {
        let named = |name: &str, process: u32| {
            tree(&format!(
                r#"
            screen 1920x1080@96
            app {name} Sums
            handles lasting
            window "Sums" {name} [0,0,900,900] pid={process} focused
            frame "Sums" role=window @1 [0,0,900,900]
              push_button "Save" role=button @2 [0,0,100,50] c
            "#
            ))
        };
        let [before, after] = looks(named("soffice.bin", 7), named("soffice", 7));
        assert_eq!(between(&before, &after).verdict, Verdict::NoVisibleChange);
        let [before, after] = looks(named("soffice.bin", 7), named("editor", 8));
        assert_eq!(between(&before, &after).verdict, Verdict::LeftApp);
    }

    #[test]
    fn a_window_behind_is_no_change_and_a_new_title_no_other_screen() {
        let both = r#"
            screen 1920x1080@96
            app editor Draft
            window "Draft" editor [0,0,900,900] layer=2 focused
            frame "Draft" role=window [0,0,900,900]
              push_button "Save" role=button [0,0,100,50] c
              push_button "Undo" role=button [100,0,200,50] c
              push_button "Redo" role=button [200,0,300,50] c
            window "Notes" editor [900,0,1800,900] layer=1
            frame "Notes" role=window [900,0,1800,900]
              push_button "Close" role=button [900,0,1000,50] c
            "#;
        let [before, after] = looks(tree(both), tree(both));
        assert_eq!(between(&before, &after).verdict, Verdict::NoVisibleChange);
        // What a desktop shows keeps its ids when a title changes: each object has a handle.
        let held = |source: &str| {
            let mut snapshot = tree(source);
            snapshot.lasting_handles = true;
            for index in snapshot.indices() {
                snapshot.node_mut(index).handle = Some(format!("{index:?}").into());
            }
            snapshot
        };
        let [before, after] = looks(held(both), held(&both.replace("Draft", "*Draft")));
        let report = between(&before, &after);
        assert_eq!((report.verdict, report.changed.len()), (Verdict::Changed, 1), "{report:?}");
    }

    #[test]
    fn a_window_of_a_phone_that_touches_no_edge_is_a_dialog() {
        let screen = |window: &str| {
            tree(&format!(
                "
                screen 1080x2400@420
                app com.example.notes .Edit
                window \"Notes\" com.example.notes {window} layer=1 focused
                FrameLayout {window}
                  Button \"OK\" [100,1000,300,1100] c
                "
            ))
        };
        let (whole, inner) = ("[0,0,1080,2400]", "[74,955,1006,1381]");
        for (old, new, expected) in [
            (whole, inner, true),
            (inner, inner, false),
            (inner, whole, false),
            (whole, "[0,1200,1080,2400]", false),
        ] {
            let [before, after] = looks(screen(old), screen(new));
            assert_eq!(between(&before, &after).verdict == Verdict::OpenedDialog, expected, "{old} {new}");
        }
    }

    #[test]
    fn a_dialog_is_said_to_have_opened() {
        let main = r#"
            screen 1080x2400@420
            app com.example .Main
            window "Main" com.example [0,0,1080,2400] layer=1 focused
            android.widget.Button "Send" [0,0,100,100] c
            android.widget.Button "Save" [0,100,100,200] c
            android.widget.Button "Undo" [0,200,100,300] c
            android.widget.Button "Redo" [0,300,100,400] c
            "#;
        let dialog = r#"
            window "Really?" com.example [100,900,980,1400] dialog layer=2
            android.widget.Button "OK" [100,1300,300,1400] c
            "#;
        let [before, after] = looks(tree(main), tree(&format!("{main}{dialog}")));
        let report = between(&before, &after);
        assert_eq!(report.verdict, Verdict::OpenedDialog);
        assert!(report.added.iter().any(|line| line.contains("\"OK\"")), "{report:?}");
        assert!(report.pressable.is_empty(), "{report:?}");
    }

    fn shown(mut snapshot: Snapshot, toasts: &[(u64, &str)]) -> Snapshot {
        let toast = |(number, text): &(u64, &str)| Toast {
            number: *number,
            app: Some("com.example".into()),
            text: (*text).into(),
        };
        snapshot.toasts = toasts.iter().map(toast).collect();
        snapshot
    }

    #[test]
    fn a_toast_is_reported_once() {
        let [before, after] = looks(
            shown(sample::phone(), &[(3, "old")]),
            shown(sample::phone(), &[(3, "old"), (4, "Sa\"ved")]),
        );
        let report = between(&before, &after);
        assert_eq!(report.verdict, Verdict::Changed);
        assert!(report.text().starts_with("changed\ntoast \"Sa'ved\"\n= node_"), "{}", report.text());
        assert_eq!(between(&after, &after).verdict, Verdict::NoVisibleChange);
    }

    #[test]
    fn what_the_system_says_comes_before_all_else() {
        let noticed = |kind, text: &str| {
            let mut snapshot = sample::phone();
            snapshot.notice = Some(crate::Notice { kind, text: text.into() });
            snapshot
        };
        for (kind, verdict) in [
            (NoticeKind::Crashed, Verdict::Crashed),
            (NoticeKind::NotResponding, Verdict::NotResponding),
            (NoticeKind::Permission, Verdict::AskedPermission),
        ] {
            let [before, after] = looks(sample::phone(), noticed(kind, "Notes\nkeeps \"stopping\""));
            let report = between(&before, &after);
            assert_eq!(report.verdict, verdict);
            assert!(report.headline().ends_with(": \"Notes keeps 'stopping'\""), "{}", report.headline());
            assert_eq!(between(&after, &after).verdict, Verdict::NoVisibleChange, "it was there before");
        }
    }

    #[test]
    fn what_exposes_no_elements_is_not_called_unchanged() {
        let source = |title: &str| {
            tree(&format!(
                "screen 1920x1080@96\napp draw {title}\nwindow \"{title}\" draw [0,0,900,900] layer=1 focused\n\
                 window \"Other\" other [900,0,1900,900] layer=0\npush_button \"OK\" role=button [900,0,999,50] c\n"
            ))
        };
        let [before, after] = looks(source("Page"), source("Page"));
        let report = between(&before, &after);
        assert_eq!(report.verdict, Verdict::CannotBeSeen);
        assert!(report.headline().contains("screenshot"), "{}", report.headline());
        let [before, after] = looks(source("Page"), source("Changed"));
        assert_eq!(between(&before, &after).verdict, Verdict::Changed, "its title did");
    }

    #[test]
    fn a_new_window_of_a_desktop_application_is_named() {
        let source = |more: &str| {
            let mut snapshot = tree(&format!(
                "screen 1920x1080@96\napp editor Draft\nwindow \"Draft\" editor [0,0,900,900] layer=1 focused\n\
                 push_button \"OK\" role=button [0,0,100,50] c\n{more}"
            ));
            snapshot.lasting_handles = true;
            snapshot
        };
        let other = "window \"Preferences\" editor [300,300,600,600] layer=2\n\
             push_button \"Close\" role=button [300,300,400,350] c\n";
        let [before, after] = looks(source(""), source(other));
        assert_eq!(between(&before, &after).opened, ["opened application \"Preferences\""]);
        let [before, after] = looks(source(""), source("").clone());
        assert!(between(&before, &after).opened.is_empty());
    }

    /// The lines a client knows, by their ids.
    type Known = HashMap<String, String>;

    fn fresh(snapshot: &Snapshot) -> Known {
        let lines = Lines::of(snapshot).news.into_iter();
        lines.map(|(id, line)| (id.to_string(), focused_if(&line.text, has_focus(&line.text)))).collect()
    }

    /// The line as it would be with the focus, or without: the last word, wherever it stands in a line of the screen.
    fn focused_if(text: &str, has_focus: bool) -> String {
        without_focus(text) + if has_focus { " focused" } else { "" }
    }

    /// What a client makes of a report that is not a whole screen.
    fn applied(mut known: Known, report: &Report) -> Known {
        let split = |line: &str| {
            let (id, text) = line.split_once(' ').expect("an id");
            let is: Vec<&str> = words(text).take_while(|word| *word != "(was").collect();
            (id.to_owned(), focused_if(&is.join(" "), has_focus(text)))
        };
        known.extend(report.added.iter().chain(&report.changed).map(|line| split(line)));
        for line in &report.removed {
            known.remove(&split(line).0);
        }
        if let Some(focus) = &report.focus {
            let focus: HashSet<String> = focus.iter().map(NodeId::to_string).collect();
            known.iter_mut().for_each(|(id, text)| *text = focused_if(text, focus.contains(id)));
        }
        known
    }

    /// A screen of rows that a walk changes: each a name, whether it is a switch, and whether that is on; the row of this name
    /// has the focus.
    fn screen(rows: &[(u64, bool, bool)], focus: Option<u64>) -> Snapshot {
        let mut text =
            "screen 1080x2400@420\napp com.example .Main\nwindow \"W\" com.example [0,0,1080,2400] layer=1 \
            focused\nandroid.widget.FrameLayout [0,0,1080,2400]\n"
                .to_owned();
        for (place, (name, switch, on)) in rows.iter().enumerate() {
            let (top, bottom) = (place * 60, place * 60 + 50);
            let flags = match (switch, on) {
                (true, true) => "ckx",
                (true, false) => "ck",
                (false, _) => "c",
            };
            let focused = if focus == Some(*name) { "o" } else { "" };
            text +=
                &format!("  android.widget.Button \"Row {name}\" [0,{top},1080,{bottom}] {flags}{focused}\n");
        }
        tree(&text)
    }

    #[test]
    fn reports_of_a_random_walk_keep_a_client_up_to_date() {
        let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
        let mut roll = |sides: usize| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            (dice % sides.max(1) as u64) as usize
        };
        let mut identities = Identities::new(Arc::new(IdPool::default()));
        let mut look = |rows: &[(u64, bool, bool)], focus| {
            let mut snapshot = screen(rows, focus);
            identities.assign(&mut snapshot);
            snapshot
        };
        let mut rows: Vec<(u64, bool, bool)> = (0..12).map(|name| (name, name % 3 == 0, false)).collect();
        let (mut names, mut whole, mut moved) = (12, 0, 0);
        let mut before = look(&rows, None);
        let mut known = fresh(&before);
        for step in 0..500 {
            for _ in 0..=roll(3) {
                let at = roll(rows.len());
                match roll(4) {
                    0 if rows.len() > 6 => drop(rows.remove(at)),
                    1 if rows.len() < 30 => {
                        names += 1;
                        rows.insert(at, (names, roll(2) == 0, false));
                    }
                    2 => rows[at].2 ^= true,
                    _ => {
                        names += 1;
                        rows[at].0 = names;
                    }
                }
            }
            let focus = (roll(3) > 0).then(|| rows[roll(rows.len())].0);
            let after = look(&rows, focus);
            let report = between(&before, &after);
            whole += usize::from(report.screen.is_some());
            moved += usize::from(report.focus.is_some());
            known = if report.screen.is_some() { fresh(&after) } else { applied(known, &report) };
            assert_eq!(known, fresh(&after), "step {step}: {report:?}");
            before = after;
        }
        assert!(whole < 100, "{whole} of 500 steps showed the whole screen");
        assert!(moved > 100, "{moved} of 500 steps reported that the focus moved");
    }

    #[test]
    fn a_report_brings_a_client_up_to_date() {
        let changed = with_text(&with_text(&sample::phone(), "Ada Lovelace", "Ada King"), "Save", "Store");
        for (old, new) in [(sample::phone(), changed.clone()), (changed, sample::phone_with_keyboard())] {
            let [before, after] = looks(old, new);
            let report = between(&before, &after);
            assert_eq!(report.screen, None);
            assert_eq!(applied(fresh(&before), &report), fresh(&after));
        }
    }
}
