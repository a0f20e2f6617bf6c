//! What an element answers when it is asked for an attribute.
//!
//! What an application works out (children, focus, windows, the value of a text) is worked out here; an entry in a node's
//! attributes goes before it, so that a test can make an element lie.

use super::node::Kind;
use super::{App, Attribute, Node, NodeId, ROOT, World, ax_error};

/// What is read when the system-wide element is asked.
pub(crate) const SYSTEM_WIDE: i32 = 0;

/// What a test says that an attribute holds.
fn given(value: &Attribute) -> Result<Attribute, i32> {
    match value {
        Attribute::Fails(code) => Err(*code),
        value => Ok(value.clone()),
    }
}

impl World {
    /// The value of an attribute for somebody outside, which is noted.
    pub(crate) fn answer(&mut self, pid: i32, id: NodeId, name: &str) -> Result<Attribute, i32> {
        if !self.attributes_read.contains(name) {
            self.attributes_read.insert(name.to_owned());
        }
        self.read(pid, id, name)
    }

    /// The value of an attribute, or the code that reading it fails with.
    pub(crate) fn read(&self, pid: i32, id: NodeId, name: &str) -> Result<Attribute, i32> {
        if pid == SYSTEM_WIDE {
            return self.read_system_wide(name);
        }
        let app = self.apps.get(&pid).ok_or(ax_error::CANNOT_COMPLETE)?;
        let node = app.nodes.get(&id).ok_or(ax_error::INVALID_UI_ELEMENT)?;
        if let Some(value) = node.attributes.get(name) {
            return given(value);
        }
        if id == ROOT {
            return self.read_application(pid, app, name);
        }
        app.read_element(self.frontmost == pid, id, node, name)
    }

    fn read_system_wide(&self, name: &str) -> Result<Attribute, i32> {
        if let Some(value) = self.system_wide.get(name) {
            return given(value);
        }
        let app = self.apps.get(&self.frontmost).ok_or(ax_error::NO_VALUE)?;
        match name {
            "AXRole" => Ok(Attribute::text("AXSystemWide")),
            "AXFocusedApplication" => Ok(Attribute::Foreign(self.frontmost, ROOT)),
            "AXFocusedUIElement" => {
                app.focused.map(|node| Attribute::Foreign(self.frontmost, node)).ok_or(ax_error::NO_VALUE)
            }
            _ => Err(ax_error::ATTRIBUTE_UNSUPPORTED),
        }
    }

    fn read_application(&self, pid: i32, app: &App, name: &str) -> Result<Attribute, i32> {
        let node = |id: Option<NodeId>| id.map(Attribute::Node).ok_or(ax_error::NO_VALUE);
        match name {
            "AXRole" => Ok(Attribute::text("AXApplication")),
            "AXRoleDescription" => Ok(Attribute::text("application")),
            "AXTitle" => Ok(Attribute::text(&app.name)),
            "AXWindows" => Ok(Attribute::Nodes(app.windows.clone())),
            "AXChildren" => {
                let mut children = app.windows.clone();
                children.extend(app.menu_bar);
                Ok(Attribute::Nodes(children))
            }
            "AXMenuBar" => node(app.menu_bar),
            "AXFocusedWindow" | "AXMainWindow" => node(app.front_window()),
            "AXFocusedUIElement" => node(app.focused),
            "AXFrontmost" => Ok(Attribute::Bool(self.frontmost == pid)),
            "AXHidden" => Ok(Attribute::Bool(app.hidden)),
            "AXEnabled" => Ok(Attribute::Bool(true)),
            _ => Err(ax_error::ATTRIBUTE_UNSUPPORTED),
        }
    }
}

impl App {
    /// The window that is in front of the application's others and not minimized.
    pub(crate) fn front_window(&self) -> Option<NodeId> {
        self.windows
            .iter()
            .copied()
            .find(|id| self.nodes.get(id).is_some_and(|node| !node.is_true("AXMinimized")))
    }

    #[allow(clippy::cast_possible_wrap, reason = "lengths of texts and lists")]
    fn read_element(&self, in_front: bool, id: NodeId, node: &Node, name: &str) -> Result<Attribute, i32> {
        let unsupported = Err(ax_error::ATTRIBUTE_UNSUPPORTED);
        match name {
            "AXRole" => Ok(Attribute::text(&node.role)),
            "AXRoleDescription" => Ok(Attribute::text(role_description(&node.role))),
            "AXParent" => node.parent.map(Attribute::Node).ok_or(ax_error::NO_VALUE),
            "AXWindow" | "AXTopLevelUIElement" => {
                self.window_of(id).map(Attribute::Node).ok_or(ax_error::NO_VALUE)
            }
            "AXChildren" => self.read_children(id, node),
            "AXPosition" => {
                node.frame.map(|frame| Attribute::Point(frame.x, frame.y)).ok_or(ax_error::NO_VALUE)
            }
            "AXSize" => {
                node.frame.map(|frame| Attribute::Size(frame.width, frame.height)).ok_or(ax_error::NO_VALUE)
            }
            "AXShownMenuUIElement" => {
                let open = node.children.iter().copied().find(|child| self.open_menu == Some(*child));
                open.map(Attribute::Node).ok_or(ax_error::NO_VALUE)
            }
            "AXFrame" => node.frame.map(Attribute::Frame).ok_or(ax_error::NO_VALUE),
            "AXEnabled" => Ok(Attribute::Bool(true)),
            "AXFocused" => Ok(Attribute::Bool(match node.kind {
                Kind::Window => in_front && self.front_window() == Some(id),
                _ => self.focused == Some(id),
            })),
            "AXMain" if matches!(node.kind, Kind::Window) => {
                Ok(Attribute::Bool(self.front_window() == Some(id)))
            }
            _ => match &node.kind {
                Kind::Text { .. } => node.read_text(name),
                Kind::Rows(rows) => {
                    let frame = node.frame.unwrap_or_default();
                    let nodes = |range: std::ops::Range<u32>| {
                        Ok(Attribute::Nodes(range.map(|index| rows.row(index)).collect()))
                    };
                    match name {
                        "AXRows" => nodes(0..rows.count),
                        "AXVisibleRows" | "AXVisibleChildren" => nodes(rows.visible(frame)),
                        "AXSelectedRows" => Ok(Attribute::Nodes(
                            self.nodes
                                .range(rows.first..NodeId(rows.first.0 + rows.nodes()))
                                .filter(|(_, row)| row.is_true("AXSelected"))
                                .map(|(id, _)| *id)
                                .collect(),
                        )),
                        _ => unsupported,
                    }
                }
                Kind::ScrollBar { list } if name == "AXValue" => match &self.nodes.get(list) {
                    Some(Node { kind: Kind::Rows(rows), frame, .. }) => {
                        let most = rows.most_offset(frame.unwrap_or_default());
                        Ok(Attribute::Float(if most > 0.0 { rows.offset / most } else { 0.0 }))
                    }
                    _ => unsupported,
                },
                _ => unsupported,
            },
        }
    }

    fn read_children(&self, id: NodeId, node: &Node) -> Result<Attribute, i32> {
        if self.chromium.as_ref().is_some_and(|engine| engine.web_area == id && !engine.is_awake()) {
            return Ok(Attribute::Nodes(Vec::new()));
        }
        if let Kind::Rows(rows) = &node.kind {
            let open = node.children.iter().copied().filter(|child| self.open_menu == Some(*child));
            return Ok(Attribute::Nodes((0..rows.count).map(|index| rows.row(index)).chain(open).collect()));
        }
        if node.children.is_empty() && matches!(node.role.as_str(), "AXStaticText" | "AXButton") {
            return Err(ax_error::ATTRIBUTE_UNSUPPORTED);
        }
        Ok(Attribute::Nodes(node.children.clone()))
    }
}

impl Node {
    #[allow(clippy::cast_possible_wrap, reason = "lengths of texts")]
    fn read_text(&self, name: &str) -> Result<Attribute, i32> {
        let (location, length) = self.selection;
        match name {
            // AppKit answers with one bullet for each character of a password.
            "AXValue" if self.is_secure() => {
                Ok(Attribute::Text("\u{2022}".repeat(self.text().chars().count())))
            }
            "AXValue" => Ok(Attribute::Text(self.text())),
            "AXNumberOfCharacters" => Ok(Attribute::Int(self.edited.len() as i64)),
            "AXSelectedTextRange" => Ok(Attribute::Range(location as isize, length as isize)),
            "AXSelectedText" => {
                let end = (location + length).min(self.edited.len());
                Ok(Attribute::Text(String::from_utf16_lossy(&self.edited[location.min(end)..end])))
            }
            _ => Err(ax_error::ATTRIBUTE_UNSUPPORTED),
        }
    }
}

fn role_description(role: &str) -> String {
    match role {
        "AXWindow" => "standard window".to_owned(),
        "AXStaticText" => "text".to_owned(),
        "AXTextArea" => "text entry area".to_owned(),
        "AXWebArea" => "HTML content".to_owned(),
        _ => {
            let mut words = String::new();
            for character in role.trim_start_matches("AX").chars() {
                if character.is_uppercase() && !words.is_empty() {
                    words.push(' ');
                }
                words.extend(character.to_lowercase());
            }
            words
        }
    }
}

const KNOWN: [&str; 24] = [
    "AXRole",
    "AXRoleDescription",
    "AXTitle",
    "AXParent",
    "AXWindow",
    "AXChildren",
    "AXPosition",
    "AXSize",
    "AXEnabled",
    "AXFocused",
    "AXMain",
    "AXValue",
    "AXNumberOfCharacters",
    "AXSelectedTextRange",
    "AXSelectedText",
    "AXVisibleRows",
    "AXRows",
    "AXSelectedRows",
    "AXWindows",
    "AXMenuBar",
    "AXFocusedWindow",
    "AXFocusedUIElement",
    "AXFrontmost",
    "AXHidden",
];

impl World {
    /// The attributes an element lists.
    pub(crate) fn attribute_names(&self, pid: i32, id: NodeId) -> Vec<String> {
        let mut names: Vec<String> = KNOWN
            .iter()
            .filter(|name| !matches!(self.read(pid, id, name), Err(ax_error::ATTRIBUTE_UNSUPPORTED)))
            .map(|name| (*name).to_owned())
            .collect();
        if let Some(node) = self.apps.get(&pid).and_then(|app| app.nodes.get(&id)) {
            names.extend(node.attributes.keys().filter(|name| !KNOWN.contains(&name.as_str())).cloned());
        }
        names
    }

    /// How many items an attribute has that is a list.
    pub(crate) fn count(&mut self, pid: i32, id: NodeId, name: &str) -> Result<usize, i32> {
        match self.answer(pid, id, name)? {
            Attribute::Nodes(nodes) => Ok(nodes.len()),
            Attribute::List(items) => Ok(items.len()),
            _ => Err(ax_error::ILLEGAL_ARGUMENT),
        }
    }

    /// Some items of an attribute that is a list.
    pub(crate) fn read_range(
        &mut self,
        pid: i32,
        id: NodeId,
        name: &str,
        index: usize,
        most: usize,
    ) -> Result<Attribute, i32> {
        match self.answer(pid, id, name)? {
            Attribute::Nodes(nodes) if index <= nodes.len() => {
                Ok(Attribute::Nodes(nodes.into_iter().skip(index).take(most).collect()))
            }
            Attribute::List(items) if index <= items.len() => {
                Ok(Attribute::List(items.into_iter().skip(index).take(most).collect()))
            }
            _ => Err(ax_error::ILLEGAL_ARGUMENT),
        }
    }

    /// The text of an element that is one, a secret excepted.
    pub(crate) fn text_of(&self, pid: i32, id: NodeId) -> Option<String> {
        let node = self.apps.get(&pid)?.nodes.get(&id)?;
        (matches!(node.kind, Kind::Text { .. }) && !node.is_secure()).then(|| node.text())
    }
}
