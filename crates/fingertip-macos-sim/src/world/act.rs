//! What happens when an element is used: by an action, by a new value, or by the pointer.

use super::node::{Action, Kind};
use super::read::SYSTEM_WIDE;
use super::{App, Attribute, NodeId, ROOT, World, ax_error};

/// The end of an action.
pub(crate) enum Ended {
    /// The caller gets its answer.
    Answered,
    /// The application does not answer before the caller's timeout.
    Blocked,
}

/// The actions that follow from what a node is.
fn natural_actions(kind: &Kind) -> &'static [&'static str] {
    match kind {
        Kind::Passive => &[],
        Kind::Button(_) | Kind::Switch | Kind::Radio => &["AXPress"],
        Kind::Slider { .. } => &["AXIncrement", "AXDecrement"],
        Kind::Text { multiline: true, .. } => &["AXShowMenu"],
        Kind::Text { .. } => &["AXConfirm", "AXShowMenu"],
        Kind::MenuOpener => &["AXPress", "AXShowMenu", "AXCancel"],
        Kind::MenuItem(_) => &["AXPress", "AXCancel", "AXPick"],
        Kind::Row { .. } => &["AXShowDefaultUI", "AXScrollToVisible"],
        Kind::Rows(_) => &["AXShowMenu"],
        Kind::Window => &["AXRaise"],
        Kind::ScrollBar { .. } => &["AXIncrement", "AXDecrement"],
    }
}

impl World {
    pub(crate) fn action_names(&self, pid: i32, id: NodeId) -> Result<Vec<String>, i32> {
        if pid == SYSTEM_WIDE || id == ROOT {
            return Ok(Vec::new());
        }
        let app = self.apps.get(&pid).ok_or(ax_error::CANNOT_COMPLETE)?;
        let node = app.nodes.get(&id).ok_or(ax_error::INVALID_UI_ELEMENT)?;
        let natural = natural_actions(&node.kind).iter().map(|name| (*name).to_owned());
        Ok(natural.chain(node.actions.iter().map(|(name, _)| name.clone())).collect())
    }

    pub(crate) fn perform(&mut self, pid: i32, id: NodeId, action: &str) -> Result<Ended, i32> {
        if !self.action_names(pid, id)?.iter().any(|name| name == action) {
            return Err(ax_error::ACTION_UNSUPPORTED);
        }
        let app = &self.apps[&pid];
        let node = app.node(id);
        let answer = node.answer;
        match answer {
            Action::Fails(code) => return Err(code),
            Action::Ignored => return Ok(Ended::Answered),
            Action::Done | Action::Blocks => {}
        }
        if !app.is_blocked(id) && (!node.is_disabled() || action == "AXScrollToVisible") {
            let own =
                node.actions.iter().find(|(name, _)| name == action).and_then(|(_, effect)| effect.clone());
            match own {
                Some(effect) => effect(self, pid),
                None => self.natural(pid, id, action),
            }
        }
        Ok(if answer == Action::Blocks { Ended::Blocked } else { Ended::Answered })
    }

    fn natural(&mut self, pid: i32, id: NodeId, action: &str) {
        match action {
            "AXPress" | "AXPick" | "AXConfirm" | "AXShowDefaultUI" => self.press(pid, id),
            "AXIncrement" => self.step(pid, id, 1.0),
            "AXDecrement" => self.step(pid, id, -1.0),
            "AXRaise" => self.raise(pid, id),
            "AXShowMenu" => self.open_menu(pid, id),
            "AXCancel" => self.close_menu(pid),
            "AXScrollToVisible" => {
                if let Some(app) = self.apps.get_mut(&pid) {
                    app.scroll_into_view(id);
                }
            }
            _ => {}
        }
    }

    /// Presses a node as its user would.
    pub(crate) fn press(&mut self, pid: i32, id: NodeId) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(node) = app.nodes.get(&id) else { return };
        if node.is_disabled() || app.is_blocked(id) {
            return;
        }
        match node.kind.clone() {
            Kind::Switch => {
                let on = matches!(node.attributes.get("AXValue"), Some(Attribute::Int(1)));
                self.set(pid, id, "AXValue", Attribute::Int(i64::from(!on)));
            }
            Kind::Radio => {
                let siblings =
                    node.parent.map(|parent| app.node(parent).children.clone()).unwrap_or_default();
                for sibling in siblings {
                    if sibling != id && matches!(self.apps[&pid].node(sibling).kind, Kind::Radio) {
                        self.set(pid, sibling, "AXValue", Attribute::Int(0));
                    }
                }
                self.set(pid, id, "AXValue", Attribute::Int(1));
            }
            Kind::Button(Some(effect))
            | Kind::Text { confirm: Some(effect), .. }
            | Kind::Row { open: Some(effect) } => effect(self, pid),
            Kind::MenuOpener => self.open_menu(pid, id),
            Kind::MenuItem(effect) => {
                self.close_menu(pid);
                if let Some(effect) = effect {
                    effect(self, pid);
                }
            }
            _ => {}
        }
    }

    /// Changes an attribute and announces it.
    pub fn set(&mut self, pid: i32, id: NodeId, name: &str, value: Attribute) {
        let Some(node) = self.apps.get_mut(&pid).and_then(|app| app.nodes.get_mut(&id)) else { return };
        node.attributes.insert(name.to_owned(), value);
        match name {
            "AXValue" => self.notify(pid, id, "AXValueChanged"),
            "AXTitle" => self.notify(pid, id, "AXTitleChanged"),
            _ => {}
        }
    }

    pub(crate) fn set_number(&mut self, pid: i32, id: NodeId, number: f64) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        match app.nodes.get(&id).map(|node| node.kind.clone()) {
            Some(Kind::Slider { minimum, maximum, .. }) => {
                self.set(pid, id, "AXValue", Attribute::Float(number.clamp(minimum, maximum)));
            }
            Some(Kind::ScrollBar { list }) => {
                let Some(Kind::Rows(rows)) = app.nodes.get(&list).map(|node| &node.kind) else { return };
                let frame = app.node(list).frame.unwrap_or_default();
                let offset = number.clamp(0.0, 1.0) * rows.most_offset(frame);
                app.scroll_list(list, offset);
                self.notify(pid, id, "AXValueChanged");
            }
            _ => {}
        }
    }

    fn step(&mut self, pid: i32, id: NodeId, direction: f64) {
        let Ok(Attribute::Float(value)) = self.read(pid, id, "AXValue") else { return };
        let step = match self.apps[&pid].node(id).kind {
            Kind::Slider { step, .. } => step,
            _ => 0.1,
        };
        self.set_number(pid, id, value + direction * step);
    }

    pub(crate) fn is_settable(&self, pid: i32, id: NodeId, name: &str) -> Result<bool, i32> {
        self.read(pid, id, name)
            .or_else(|code| if code == ax_error::NO_VALUE { Ok(Attribute::Null) } else { Err(code) })?;
        let Some(node) = self.apps.get(&pid).and_then(|app| app.nodes.get(&id)) else { return Ok(false) };
        if id == ROOT {
            return Ok(matches!(name, "AXFrontmost" | "AXHidden") || node.settable.contains(name));
        }
        let natural = match (&node.kind, name) {
            (Kind::Text { .. }, "AXValue") => !node.is_true("AXReadOnly"),
            (Kind::Text { .. }, "AXFocused" | "AXSelectedText" | "AXSelectedTextRange")
            | (Kind::Slider { .. } | Kind::ScrollBar { .. }, "AXValue")
            | (Kind::Rows(_), "AXSelectedRows" | "AXFocused")
            | (Kind::Switch | Kind::Radio | Kind::Button(_), "AXFocused") => true,
            _ => false,
        };
        Ok(natural || node.settable.contains(name))
    }

    /// Sets an attribute from outside.
    pub(crate) fn set_from_outside(
        &mut self,
        pid: i32,
        id: NodeId,
        name: &str,
        value: Attribute,
    ) -> Result<(), i32> {
        let app = self.apps.get_mut(&pid).ok_or(ax_error::CANNOT_COMPLETE)?;
        if id == ROOT
            && let Some(engine) = app.chromium.as_mut().filter(|engine| engine.wake_attribute == name)
        {
            let asked = value == Attribute::Bool(true);
            engine.woken = asked.then(std::time::Instant::now);
            engine.times_woken += u64::from(asked);
            return if engine.denies { Err(ax_error::ATTRIBUTE_UNSUPPORTED) } else { Ok(()) };
        }
        if id == ROOT && matches!(name, "AXManualAccessibility" | "AXEnhancedUserInterface") {
            return Err(ax_error::ATTRIBUTE_UNSUPPORTED);
        }
        if !self.is_settable(pid, id, name)? {
            return Err(ax_error::FAILURE);
        }
        let blocked = self.apps[&pid].is_blocked(id);
        let node = self.apps[&pid].node(id);
        if node.ignores_value || blocked {
            return Ok(());
        }
        match (node.kind.clone(), name, value) {
            (Kind::Text { .. }, "AXValue", Attribute::Text(text)) => {
                let node = self.apps.get_mut(&pid).expect("looked at above").node_mut(id);
                node.set_text(&text);
                self.notify(pid, id, "AXValueChanged");
            }
            (Kind::Text { .. }, "AXSelectedText", Attribute::Text(text)) => self.insert_text(pid, id, &text),
            (Kind::Text { .. }, "AXSelectedTextRange", Attribute::Range(location, length)) => {
                let node = self.apps.get_mut(&pid).expect("looked at above").node_mut(id);
                let (Ok(location), Ok(length)) = (usize::try_from(location), usize::try_from(length)) else {
                    return Err(ax_error::ILLEGAL_ARGUMENT);
                };
                let location = location.min(node.edited.len());
                node.selection = (location, length.min(node.edited.len() - location));
                self.notify(pid, id, "AXSelectedTextChanged");
            }
            (Kind::Slider { .. } | Kind::ScrollBar { .. }, "AXValue", Attribute::Float(number)) => {
                self.set_number(pid, id, number);
            }
            #[allow(clippy::cast_precision_loss, reason = "values of a slider")]
            (Kind::Slider { .. } | Kind::ScrollBar { .. }, "AXValue", Attribute::Int(number)) => {
                self.set_number(pid, id, number as f64);
            }
            (_, "AXFocused", Attribute::Bool(true)) => self.focus(pid, id),
            (_, "AXFrontmost", Attribute::Bool(true)) if id == ROOT => self.activate(pid),
            (_, "AXHidden", Attribute::Bool(hidden)) if id == ROOT => {
                self.apps.get_mut(&pid).expect("looked at above").hidden = hidden;
            }
            (Kind::Window, "AXMinimized", Attribute::Bool(minimized)) => {
                self.set_minimized(pid, id, minimized);
            }
            (Kind::Window, "AXMain", Attribute::Bool(true)) => self.raise(pid, id),
            (Kind::Window, "AXPosition", Attribute::Point(x, y)) => self.move_window(pid, id, x, y),
            (Kind::Window, "AXSize", Attribute::Size(width, height)) => {
                self.resize_window(pid, id, width, height);
            }
            (Kind::Row { .. }, "AXSelected", Attribute::Bool(selected)) => self.select_row(pid, id, selected),
            (Kind::Rows(_), "AXSelectedRows", Attribute::Nodes(rows)) => {
                for row in rows {
                    self.apps.get_mut(&pid).expect("looked at above").realize(row);
                    self.select_row(pid, row, true);
                }
            }
            (_, name, value) => {
                if std::mem::discriminant(&value) != std::mem::discriminant(&self.read(pid, id, name)?) {
                    return Err(ax_error::ILLEGAL_ARGUMENT);
                }
                self.set(pid, id, name, value);
            }
        }
        Ok(())
    }

    /// Selects a row instead of the others of its list.
    pub(crate) fn select_row(&mut self, pid: i32, row: NodeId, selected: bool) {
        let Some(app) = self.apps.get_mut(&pid) else { return };
        let Some(list) = app.nodes.get(&row).and_then(|node| node.parent) else { return };
        for node in app.nodes.values_mut().filter(|node| node.parent == Some(list)) {
            if matches!(node.kind, Kind::Row { .. }) {
                node.attributes.insert("AXSelected".into(), Attribute::Bool(false));
            }
        }
        app.node_mut(row).attributes.insert("AXSelected".into(), Attribute::Bool(selected));
        self.notify(pid, list, "AXSelectedRowsChanged");
        self.notify(pid, list, "AXSelectedChildrenChanged");
    }
}

impl App {
    /// Scrolls the list of a row so that it can be seen.
    pub(crate) fn scroll_into_view(&mut self, id: NodeId) {
        let mut at = Some(id);
        while let Some(node) = at {
            let parent = self.nodes.get(&node).and_then(|node| node.parent);
            if let Some(list) = parent
                && let Kind::Rows(rows) = &self.node(list).kind
                && let Some((index, _)) = rows.place(id)
            {
                let frame = self.node(list).frame.unwrap_or_default();
                if !rows.visible(frame).contains(&index) {
                    let offset = f64::from(index) * rows.row_height - frame.height / 2.0;
                    self.scroll_list(list, offset);
                }
                return;
            }
            at = parent;
        }
    }
}
