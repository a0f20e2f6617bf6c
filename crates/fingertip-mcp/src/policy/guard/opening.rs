//! Whether an application may be started.
//!
//! Judged is what would be run, not what it is called: every program of the command line by itself, so that no wrapper and
//! no friendly name covers a blocked one. The names of an entry count too, unless the owner freed the program itself. What
//! lies where the user's own programs can write may be a command of any of them, and takes the owner's `allow_commands`.
//! The window that comes is judged once more: a program may hand over to another one that nothing announced.

use fingertip_core::target::{LaunchPlan, TargetKind};
use fingertip_core::{Deadline, Error, Reason, Result, Target, Window};

use super::super::blocklist::Rule;
use super::{FOUND_WITHIN, Guard, changed_since_asked};

impl Guard {
    /// Lets a program be started, or says which rule forbids it.
    pub(in crate::policy) fn pass_launch(&self, kind: TargetKind, plan: &LaunchPlan) -> Result<()> {
        self.seen().take();
        self.context.acted_on(&plan.id);
        if !plan.vetted && !self.commands {
            self.context.refused_by("allow_commands");
            return Err(unvetted(plan));
        }
        if let Some((name, rule)) = self.rule_against(kind, plan) {
            self.context.refused_by(&format!("blocklist {}", rule.pattern()));
            return Err(forbidden(plan, name, rule));
        }
        match &self.agreed {
            Some(agreed) if agreed.launch.as_ref() != Some(plan) => {
                self.context.refused_by("confirm");
                Err(changed_since_asked(Some(&plan.id)))
            }
            _ => Ok(()),
        }
    }

    /// The rule that forbids starting this, and the name it fits.
    pub(in crate::policy) fn rule_against<'a>(
        &'a self,
        kind: TargetKind,
        plan: &'a LaunchPlan,
    ) -> Option<(&'a str, &'a Rule)> {
        let against = |name: &'a str| Some((name, self.blocklist.find(kind, &[name])?));
        if let Some(found) = plan.programs.iter().find_map(|program| against(program)) {
            return Some(found);
        }
        // The first is the one that is run; the others are its arguments.
        if plan.programs.first().is_some_and(|program| self.blocklist.frees(program)) {
            return None;
        }
        let names = [&plan.id, &plan.name].into_iter().chain(&plan.aliases);
        names.map(|name| &**name).find_map(against)
    }

    /// Judges the window that came of it.
    pub(in crate::policy) async fn judge_launched(
        &self,
        target: &dyn Target,
        plan: &LaunchPlan,
        window: &Window,
        deadline: Deadline,
    ) -> Result<()> {
        let kind = target.kind();
        if self.blocklist.is_empty(kind) || window.app.is_none() {
            return Ok(());
        }
        let apps = if kind.addresses_processes() {
            target.survey().apps(deadline.slice(FOUND_WITHIN)).await.unwrap_or_default()
        } else {
            Vec::new()
        };
        self.judge(kind, window, &apps).map_err(|_| {
            let app = window.app.as_deref().unwrap_or_default();
            Error::new(
                Reason::Refused,
                format!(
                    "'{}' was opened, but the window that came belongs to {app:?}, which may not be acted on. It was \
                     left as it is.",
                    plan.id
                ),
            )
            .with_guidance("It may be looked at. Tell the user, who can close it.")
            .with_app(app)
        })
    }
}

fn forbidden(plan: &LaunchPlan, name: &str, rule: &Rule) -> Error {
    let what = if *name == *plan.id { String::new() } else { format!(" would start {name:?}, and") };
    let subject = if what.is_empty() { " is blocked:" } else { "" };
    Error::new(
        Reason::Refused,
        format!("Nothing was opened: '{}'{what}{subject} the rule {rule} forbids acting on it.", plan.id),
    )
    .with_guidance(
        "Only the owner of this server can change that: --allow-app, or allow_apps in its configuration.",
    )
    .with_app(&*plan.id)
}

fn unvetted(plan: &LaunchPlan) -> Error {
    Error::new(
        Reason::Refused,
        format!(
            "Nothing was opened: '{}' is a program by its path, or comes from the user's own folders, where any program \
             may have put it.",
            plan.id
        ),
    )
    .with_guidance(
        "Open what is installed for all users: see list_apps. Only the owner of this server can change that: \
         --allow-commands, or allow_commands in its configuration.",
    )
    .with_app(&*plan.id)
}
