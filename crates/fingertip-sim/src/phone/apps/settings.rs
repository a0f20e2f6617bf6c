//! Settings: a long list with a search field, switches that take effect, and pages below it.

mod pages;
mod rows;

use super::installed::SETTINGS;
use super::{App, Context, Event, Request};
use crate::phone::log::Level;
use crate::phone::provider::{BRIGHTNESS, Name};
use crate::phone::toolkit::editor::Editor;
use crate::phone::toolkit::view::View;
use crate::phone::world::World;
use rows::{Action, ROWS};

pub(crate) const MAIN_ACTIVITY: &str = "com.android.settings.Settings";
const SUB_ACTIVITY: &str = "com.android.settings.SubSettings";

/// How often the build number must be tapped.
const DEVELOPER_TAPS: u32 = 7;

/// A page below the main list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Page {
    Network,
    Display,
    Sound,
    About,
    /// The page of a row that has nothing to set.
    Detail(usize),
}

/// A view of the settings app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    List,
    PageList,
    Row(usize),
    Search,
    ClearSearch,
    Up,
    Switch(Name),
    Slider(Name),
    About(usize),
    Network(usize),
}

/// The state of the settings app.
#[derive(Default)]
pub(crate) struct Settings {
    page: Option<Page>,
    query: Editor,
    build_taps: u32,
}

impl Settings {
    fn show(&mut self, page: Page, context: &mut Context<'_>) {
        self.page = Some(page);
        context.request(Request::ScrollToStart(Tag::PageList.into()));
        context.request(Request::ClearFocus);
        let message = format!("Switching to fragment {page:?}");
        context.world.log_app(SETTINGS, Level::Debug, "SettingsActivity", &message);
    }

    fn toggle(name: Name, context: &mut Context<'_>) {
        let on = context.world.provider.toggle(name);
        let message = format!("{}/{} is now {}", name.0, name.1, i32::from(on));
        context.world.log_app(SETTINGS, Level::Info, "SwitchPreference", &message);
    }

    fn tap_about(&mut self, entry: usize, context: &mut Context<'_>) {
        if pages::ABOUT[entry] != pages::BUILD_NUMBER {
            return;
        }
        self.build_taps += 1;
        if self.build_taps == DEVELOPER_TAPS {
            context.toast("You are now a developer!");
        }
    }

    /// The rows the search leaves, by their place among all.
    fn found(&self) -> Vec<usize> {
        let query = self.query.text().trim().to_lowercase();
        let hit = |text: &str| text.to_lowercase().contains(&query);
        let all = ROWS.iter().enumerate();
        all.filter(|(_, row)| hit(row.title) || hit(row.summary)).map(|(index, _)| index).collect()
    }
}

impl App for Settings {
    fn activity(&self) -> &'static str {
        if self.page.is_some() { SUB_ACTIVITY } else { MAIN_ACTIVITY }
    }

    fn title(&self) -> String {
        self.page.map_or("Settings", pages::title).into()
    }

    fn instance(&self) -> u32 {
        match self.page {
            None => 0,
            Some(Page::Network) => 1,
            Some(Page::Display) => 2,
            Some(Page::Sound) => 3,
            Some(Page::About) => 4,
            Some(Page::Detail(index)) => 5 + index as u32,
        }
    }

    fn screen(&self, world: &World) -> View {
        match self.page {
            None => pages::main(&self.query, &self.found(), world),
            Some(page) => pages::page(page, world),
        }
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let super::Tag::Settings(tag) = tag else { return };
        match (tag, event) {
            (Tag::Row(index), Event::Click) => match ROWS[index].action {
                Action::Open(page) => self.show(page, context),
                Action::Detail => self.show(Page::Detail(index), context),
                Action::Switch(name) => Self::toggle(name, context),
            },
            (Tag::Switch(name), Event::Click) => Self::toggle(name, context),
            (Tag::Slider(name), Event::Slide(value)) => {
                context.world.provider.set_number(name, value.round() as i32);
                if name == BRIGHTNESS {
                    context.world.log_system("DisplayPowerController", &format!("Brightness [{value:.0}]"));
                }
            }
            (Tag::Search, Event::TextChanged) => context.request(Request::ScrollToStart(Tag::List.into())),
            (Tag::Search, Event::ImeAction) => context.request(Request::HideKeyboard),
            (Tag::ClearSearch, Event::Click) => {
                self.query.set_text("");
                context.request(Request::ScrollToStart(Tag::List.into()));
            }
            (Tag::Up, Event::Click) => self.page = None,
            (Tag::About(entry), Event::Click) => self.tap_about(entry, context),
            (Tag::Network(index), Event::Click) => {
                context.toast(&format!("{} is out of range", pages::NETWORKS[index]));
            }
            _ => {}
        }
    }

    fn on_back(&mut self, context: &mut Context<'_>) -> bool {
        if self.page.take().is_some() {
            return true;
        }
        let searching = !self.query.text().is_empty();
        if searching {
            self.query.set_text("");
            context.request(Request::ClearFocus);
        }
        searching
    }

    fn editor(&mut self, tag: super::Tag) -> Option<&mut Editor> {
        (tag == Tag::Search.into() && self.page.is_none()).then_some(&mut self.query)
    }
}
