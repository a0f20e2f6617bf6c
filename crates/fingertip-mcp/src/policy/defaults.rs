//! The applications that are blocked unless the owner says otherwise.
//!
//! What holds the keys to everything else, everywhere; and on desktops, where one application can change all others,
//! also terminals, what runs any command that is typed into it, system settings, and the dialogs in which a person grants
//! programs access: a program that is granted something must not answer for the person. Packages and bundles are named whole where
//! they are known; programs that come in many packagings by the word they all have.

use fingertip_core::target::TargetKind;

use super::blocklist::{Rule, built_in};

const PASSWORD_MANAGERS: &str = "password managers and keyrings";
const TERMINALS: &str = "terminals";
const LAUNCHERS: &str = "launchers of programs";
const SETTINGS: &str = "system settings";
const CONSENT: &str = "dialogs that grant programs access";

/// The built-in rules for this sort of target.
pub(super) fn rules(kind: TargetKind) -> Vec<Rule> {
    let lists: &[(&'static str, &[&str])] = match kind {
        TargetKind::Phone => &[(PASSWORD_MANAGERS, PHONE_KEEPERS)],
        TargetKind::Desktop => &[
            (PASSWORD_MANAGERS, DESKTOP_KEEPERS),
            (TERMINALS, DESKTOP_TERMINALS),
            (LAUNCHERS, DESKTOP_LAUNCHERS),
            (SETTINGS, DESKTOP_SETTINGS),
            (CONSENT, DESKTOP_CONSENT),
        ],
    };
    lists.iter().flat_map(|(what, list)| list.iter().map(|pattern| built_in(pattern, what))).collect()
}

const PHONE_KEEPERS: &[&str] = &[
    "com.1password.*",
    "com.agilebits.onepassword",
    "com.onepassword.*",
    "com.x8bit.bitwarden*",
    "com.bitwarden.*",
    "com.lastpass.*",
    "com.dashlane",
    "com.callpod.android_apps.keeper",
    "com.kunzisoft.keepass.*",
    "keepass2android.*",
    "org.keepassdroid*",
    "com.android.keepass",
    "com.nordpass.*",
    "proton.android.pass*",
    "com.siber.roboform",
    "io.enpass.*",
    "in.sinew.enpass",
    "com.samsung.android.samsungpass",
    "com.samsung.android.authfw",
    "com.android.credentialmanager",
    "com.android.keychain",
    "com.android.certinstaller",
    "org.sufficientlysecure.keychain",
    "com.zeapo.pwdstore",
    "dev.msfjarvis.aps",
];

const DESKTOP_KEEPERS: &[&str] = &[
    "*1password*",
    "*bitwarden*",
    "*keepass*",
    "*enpass*",
    "*dashlane*",
    "*lastpass*",
    "*nordpass*",
    "*proton pass*",
    "*protonpass*",
    "*roboform*",
    "*keeper password manager*",
    "keeperpasswordmanager",
    "*seahorse*",
    "passwords and keys",
    "*kwallet*",
    "gcr-prompter",
    "*gnome.keyring*",
    "gnome-keyring*",
    "polkit-*-authentication-agent*",
    "keychain access",
    "com.apple.keychainaccess",
    "com.apple.passwords",
    "securityagent",
    "com.apple.securityagent",
    "credentialuibroker*",
];

const DESKTOP_TERMINALS: &[&str] = &[
    "terminal",
    "*gnome-terminal*",
    "org.gnome.terminal",
    "kgx",
    "org.gnome.console",
    "*ptyxis*",
    "*konsole*",
    "*yakuake*",
    "x-terminal-emulator",
    "xterm*",
    "uxterm",
    "lxterm",
    "koi8rxterm",
    "mlterm*",
    "*roxterm*",
    "sakura",
    "termit",
    "termite",
    "pterm",
    "eterm",
    "aterm",
    "kterm",
    "xvt",
    "xiterm*",
    "zutty",
    "lilyterm",
    "evilvte",
    "*elementary.terminal",
    "pantheon-terminal",
    "lomiri-terminal*",
    "cosmic-term",
    "contour",
    "org.contourterminal.*",
    "com.raggesilver.blackbox",
    "tabby",
    "hyper",
    "urxvt*",
    "rxvt*",
    "st",
    "stterm",
    "foot",
    "footclient",
    "kitty",
    "alacritty",
    "*wezterm*",
    "*ghostty*",
    "*tilix*",
    "terminator",
    "terminology",
    "guake*",
    "tilda",
    "xfce4-terminal*",
    "lxterminal",
    "qterminal",
    "mate-terminal",
    "deepin-terminal",
    "cool-retro-term",
    "com.apple.terminal",
    "iterm*",
    "com.googlecode.iterm2",
    "warp",
    "dev.warp.*",
    "windowsterminal*",
    "windows terminal",
    "windows powershell*",
    "powershell*",
    "pwsh*",
    "cmd.exe",
    "command prompt",
    "conhost*",
    "mintty*",
];

const DESKTOP_LAUNCHERS: &[&str] = &[
    "dmenu*",
    "rofi*",
    "wofi",
    "fuzzel",
    "bemenu*",
    "tofi*",
    "xfrun4",
    "xfce4-appfinder",
    "gmrun",
    "fbrun",
    "krunner",
    "org.kde.krunner",
    "lxqt-runner",
    "mate-panel-run-dialog",
    "synapse",
    "albert",
    "ulauncher*",
    "kupfer*",
    "gnome-do",
    "xlunch",
    "idle",
    "idle3*",
    "idle-python*",
    "groovyconsole*",
];

const DESKTOP_SETTINGS: &[&str] = &[
    "settings",
    "gnome-control-center*",
    "org.gnome.settings",
    "gnome-tweaks",
    "systemsettings*",
    "org.kde.systemsettings",
    "system settings",
    "system preferences",
    "com.apple.systempreferences",
    "com.apple.systemsettings*",
    "xfce4-settings*",
    "xfce4-*-settings*",
    "xfce4-*-preferences",
    "xfce4-notifyd-config",
    "xfwm4-*settings",
    "xfdesktop-settings",
    "thunar-volman-settings",
    "obconf*",
    "obkey",
    "lxappearance",
    "lxinput",
    "lxrandr",
    "lxsession-*",
    "lxhotkey*",
    "kcmshell*",
    "org.gnome.tweaks",
    "*dconf-editor*",
    "gnome-session-properties",
    "gnome-extensions*",
    "org.gnome.extensions*",
    "mate-*-properties",
    "mate-tweak",
    "*-control-center",
    "io.elementary.settings",
    "io.elementary.switchboard",
    "cosmic-settings*",
    "cinnamon-settings*",
    "lxqt-config*",
    "control panel",
    "immersivecontrolpanel",
    "systemsettings.exe",
    "regedit*",
    "registry editor",
];

const DESKTOP_CONSENT: &[&str] = &[
    "*xdg-desktop-portal*",
    "org.freedesktop.impl.portal.*",
    "org.freedesktop.portal.*",
    "*polkit-agent*",
    "*polkit-*-agent*",
    // It asks for consent, passwords and what to run in windows of its own.
    "gnome-shell",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::blocklist::Pattern;

    #[test]
    fn what_runs_any_command_or_changes_what_keys_run_is_blocked_on_desktops() {
        let blocklist = crate::policy::Blocklist::default();
        let blocked = |name: &str| blocklist.find(TargetKind::Desktop, &[name]).is_some();
        for name in [
            "xfce4-keyboard-settings",
            "xfce4-mime-settings",
            "xfce4-session-settings",
            "xfce4-power-manager-settings",
            "xfwm4-settings",
            "xfwm4-tweaks-settings",
            "mate-keybinding-properties",
            "budgie-control-center",
            "kcmshell5",
            "ca.desrt.dconf-editor",
            "lxterm",
            "mlterm-tiny",
            "roxterm",
            "sakura",
            "io.elementary.terminal",
            "x-terminal-emulator",
            "idle-python3.11",
            "groovyConsole",
        ] {
            assert!(blocked(name), "{name}");
        }
        for name in ["mousepad", "thunar", "galculator", "org.gnome.TextEditor", "blackbox", "xfce4-panel"] {
            assert!(!blocked(name), "{name}");
        }
    }

    #[test]
    fn nobody_grants_access_to_programs_through_this_one() {
        let blocklist = crate::policy::Blocklist::default();
        for name in [
            "xdg-desktop-portal-gnome",
            "xdg-desktop-portal-gtk",
            "xdg-desktop-portal-kde",
            "org.freedesktop.impl.portal.desktop.gnome",
            "polkit-gnome-authentication-agent-1",
            "gnome-shell",
        ] {
            let rule = blocklist.find(TargetKind::Desktop, &[name]);
            assert!(rule.is_some(), "{name}");
        }
        assert!(blocklist.find(TargetKind::Desktop, &["xdg-user-dirs-gtk-update"]).is_none());
    }

    #[test]
    fn every_built_in_rule_is_a_pattern_an_owner_could_write() {
        for kind in [TargetKind::Phone, TargetKind::Desktop] {
            for rule in rules(kind) {
                assert_eq!(Pattern::new(rule.pattern()).unwrap().to_string(), rule.pattern());
            }
        }
    }
}
