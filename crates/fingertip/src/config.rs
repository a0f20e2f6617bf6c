//! What is in force, and where each value comes from: a flag, else the environment, else the file, else the default.
//!
//! One table ([`settings`]) has every setting once, as a field of its own type; file, environment, flags and `config --show`
//! all go by it. A list given
//! in a higher place replaces one in a lower place, it does not add to it. An unknown key and a value that does not fit
//! are errors that say where: a setting that is silently ignored protects nothing. For the same reason a variable or flag
//! that should protect something must name something; a file may say `[]`.

mod allowed;
pub(crate) mod environment;
mod file;
mod setting;
mod settings;
mod show;
mod value;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use fingertip_android::Preference;
use fingertip_mcp::secrets::Secrets;
use fingertip_mcp::timeouts::Timeouts;
use fingertip_mcp::transport::private_file::{self, Guard};
use fingertip_mcp::view::{View, Waits};

use setting::{Layered, Source};
pub(crate) use settings::Settings;
use value::Written;

use crate::drive::Drive;
use crate::home::Home;
use crate::{TargetSpec, listen};

/// The file in the home folder that is read unless another is named.
const FILE_NAME: &str = "config.toml";

/// The most bytes of the file with the secrets.
const SECRETS_BYTES: u64 = 1 << 17;

/// What a file of this content says, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn read_as_text(content: &str) -> String {
    let mut settings = Settings::defaults(Path::new(""));
    match file::apply(content, Path::new(""), &mut settings) {
        Ok(()) => {
            settings.all().iter().map(|known| format!("{} {}\n", known.shown(), known.source())).collect()
        }
        Err(wrong) => format!("{wrong:?}"),
    }
}

/// All settings.
#[derive(Debug)]
pub(crate) struct Config {
    file: PathBuf,
    file_exists: bool,
    file_named: bool,
    home: Home,
    pub(crate) settings: Settings,
}

impl Config {
    /// Puts flags, environment, file and defaults together; `flags` sets what the command line said.
    ///
    /// # Errors
    /// An unknown key or a bad value, with its place; a file that cannot be read, or that others can change.
    pub(crate) fn load(
        named: Option<&Path>,
        flags: impl FnOnce(&mut Settings) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let home = Home::find()?;
        let file = named.map_or_else(|| home.path().join(FILE_NAME), Path::to_owned);
        let mut settings = Settings::defaults(&home.audit());
        let file_exists = file::read(&file, named.is_some(), &mut settings)?;
        for setting in settings.all_mut() {
            let variable = setting.key().variable;
            match std::env::var(variable) {
                Ok(text) => {
                    let source = Source::Environment(variable);
                    setting
                        .take(Written::Variable(&text), source)
                        .map_err(|why| anyhow::anyhow!("{variable}: {why}"))?;
                }
                Err(std::env::VarError::NotPresent) => {}
                Err(std::env::VarError::NotUnicode(_)) => bail!("{variable}: not a text"),
            }
        }
        flags(&mut settings)?;
        Ok(Self { file, file_exists, file_named: named.is_some(), home, settings })
    }

    /// Whether this command's own flags or variables say what to serve or to allow, or name a file that does.
    pub(crate) fn is_set_here(&self) -> bool {
        let is_here = |source: &Source| matches!(source, Source::Environment(_) | Source::Flag(_));
        let all = self.settings.all().into_iter().filter(|setting| !setting.key().is_of_transport);
        self.file_named || all.map(Layered::source).any(is_here)
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// The targets to serve.
    ///
    /// # Errors
    /// A text that names none.
    pub(crate) fn targets(&self) -> anyhow::Result<Vec<TargetSpec>> {
        self.settings
            .targets
            .parse(|list| list.iter().map(|text| text.parse()).collect::<Result<_, String>>())
    }

    /// How long reading a desktop may take.
    ///
    /// # Errors
    /// An invalid change, with where it was written.
    pub(crate) fn timeouts(&self) -> anyhow::Result<Timeouts> {
        let known = Timeouts::default();
        self.settings.timeouts.parse(|list| list.iter().try_fold(known, |known, change| known.with(change)))
    }

    /// How screens and effects are shown where a call does not say.
    ///
    /// # Errors
    /// A word for neither, with where it was written.
    pub(crate) fn view(&self) -> anyhow::Result<View> {
        let Settings { format, see, see_quiet_ms, see_in_place_ms, see_navigated_ms, .. } = &self.settings;
        let waits = Waits {
            quiet: Duration::from_millis(see_quiet_ms.value),
            in_place: Duration::from_millis(see_in_place_ms.value),
            navigated: Duration::from_millis(see_navigated_ms.value),
        };
        Ok(View { format: format.parse(|word| word.parse())?, see: see.parse(|word| word.parse())?, waits })
    }

    /// The texts that calls can name instead of writing them.
    ///
    /// # Errors
    /// A file that others can read, or what is wrong with a secret; never what it holds.
    pub(crate) fn secrets(&self) -> anyhow::Result<Secrets> {
        let mut secrets = Secrets::default();
        let setting = &self.settings.secrets;
        if !setting.value.is_empty() {
            let path = Path::new(&setting.value);
            let content = private_file::read(path, Guard::Secret, SECRETS_BYTES)?;
            let content =
                String::from_utf8(content).map_err(|_| anyhow::anyhow!("{}: not UTF-8", path.display()))?;
            secrets.add_lines(&content).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
        }
        for (variable, value) in std::env::vars_os() {
            let Some(variable) = variable.to_str() else { continue };
            let Some(name) = environment::secret(variable) else { continue };
            let value = value.to_str().ok_or_else(|| anyhow::anyhow!("{variable}: not a text"))?;
            secrets.add(name, value).map_err(|why| anyhow::anyhow!("{variable}: {why}"))?;
        }
        Ok(secrets)
    }

    /// How phones are driven.
    ///
    /// # Errors
    /// A name of no driver, with where it was written.
    fn driver(&self) -> anyhow::Result<Preference> {
        let driver = &self.settings.driver;
        driver.parse(|name| if name.is_empty() { Ok(Preference::default()) } else { name.parse() })
    }

    /// How targets are driven.
    ///
    /// # Errors
    /// A name of no driver and of no way, with where it was written.
    pub(crate) fn drive(&self) -> anyhow::Result<Drive> {
        let gnome = self.settings.gnome_access.parse(|name| name.parse())?;
        Ok(Drive { phones: self.driver()?, gnome, home: self.home().path().to_owned() })
    }

    /// Where to listen.
    ///
    /// # Errors
    /// A text that names no address, or several.
    pub(crate) fn listen(&self) -> anyhow::Result<SocketAddr> {
        self.settings.listen.parse(|text| listen::parse(text))
    }
}
