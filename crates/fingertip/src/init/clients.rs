//! The clients that are set up: where each keeps its servers, and in which form.
//!
//! A client is there when its folder is, or for Claude Code its file; nothing is run to find out.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use directories::BaseDirs;
use serde_json::{Value, json};

/// A program that uses MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Windsurf
    Windsurf,
    /// Zed
    Zed,
    /// opencode
    Opencode,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, comments and trailing commas allowed.
    Json,
    /// TOML.
    Toml,
}

/// The folders of this user in which clients keep their files.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    home: PathBuf,
    /// Where programs of this system keep their configuration.
    config: PathBuf,
    /// Where programs do that look the same on every Unix.
    dot_config: PathBuf,
    codex: PathBuf,
    claude: PathBuf,
    /// Where programs keep what is this user's own, such as desktop entries.
    data: PathBuf,
    roots: Vec<PathBuf>,
}

impl Places {
    /// Those of this user.
    ///
    /// # Errors
    /// When there is no home folder.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let folders = BaseDirs::new().context("this user has no home folder")?;
        let home = folders.home_dir().to_owned();
        let mut roots = vec![home.clone()];
        let mut named = |variable, default: PathBuf| {
            let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            roots.extend(named.clone());
            named.unwrap_or(default)
        };
        Ok(Self {
            config: folders.config_dir().to_owned(),
            dot_config: named("XDG_CONFIG_HOME", home.join(".config")),
            codex: named("CODEX_HOME", home.join(".codex")),
            claude: named("CLAUDE_CONFIG_DIR", home.clone()),
            data: named("XDG_DATA_HOME", home.join(".local/share")),
            home,
            roots,
        })
    }

    /// The folder of this user's data.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// The folders that files may be in, links followed: the home folder, and those that the user named.
    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }
}

impl Client {
    /// What it is called.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Vscode => "Visual Studio Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Windsurf => "Windsurf",
            Self::Zed => "Zed",
            Self::Opencode => "opencode",
        }
    }

    /// Its name on the command line, and of what is kept to undo it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Its file.
    pub(crate) fn file(self, places: &Places) -> PathBuf {
        let Places { home, config, dot_config, codex, claude, .. } = places;
        match self {
            Self::ClaudeCode => claude.join(".claude.json"),
            Self::ClaudeDesktop => config.join("Claude/claude_desktop_config.json"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Vscode => config.join("Code/User/mcp.json"),
            Self::Codex => codex.join("config.toml"),
            Self::Gemini => home.join(".gemini/settings.json"),
            Self::Windsurf => home.join(".codeium/windsurf/mcp_config.json"),
            Self::Zed => dot_config.join("zed/settings.json"),
            Self::Opencode => {
                let commented = dot_config.join("opencode/opencode.jsonc");
                if commented.exists() { commented } else { dot_config.join("opencode/opencode.json") }
            }
        }
    }

    /// Whether it is there.
    pub(crate) fn is_installed(self, places: &Places) -> bool {
        let file = self.file(places);
        match self {
            Self::ClaudeCode => file.exists() || places.home.join(".claude").is_dir(),
            // Its settings are a folder deeper.
            Self::Vscode => file.parent().and_then(Path::parent).is_some_and(Path::is_dir),
            _ => file.parent().is_some_and(Path::is_dir),
        }
    }

    /// How its file is written.
    pub(crate) fn format(self) -> Format {
        if self == Self::Codex { Format::Toml } else { Format::Json }
    }

    /// The key under which its servers are.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
            Self::Opencode => "mcp",
            _ => "mcpServers",
        }
    }

    /// What it wants to know of a server that it starts by this command.
    pub(crate) fn entry(self, program: &str, arguments: &[String]) -> Value {
        match self {
            Self::ClaudeCode | Self::Vscode => {
                json!({ "type": "stdio", "command": program, "args": arguments })
            }
            Self::Opencode => {
                let command: Vec<&str> =
                    std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect();
                json!({ "type": "local", "command": command, "enabled": true })
            }
            _ => json!({ "command": program, "args": arguments }),
        }
    }
}
