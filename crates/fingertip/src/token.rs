//! The token: from the environment, else from its file, else made now. There is always one.

use std::path::Path;

use anyhow::{Context, bail};
use fingertip_mcp::transport::Token;
use fingertip_mcp::transport::private_file::{self, Guard};

use crate::home::Home;

/// Gives the token directly, as in a container.
pub(crate) const VARIABLE: &str = "FINGERTIP_TOKEN";
/// Bytes of randomness in a token of our own making.
const RANDOM_BYTES: usize = 32;
/// The largest file a token is read from, in bytes.
const MAX_FILE_BYTES: u64 = 4096;

/// The token clients must send.
pub(crate) fn find(home: &Home) -> anyhow::Result<Token> {
    match std::env::var(VARIABLE) {
        Ok(text) => Token::new(&text).with_context(|| format!("{VARIABLE} holds no usable token")),
        Err(std::env::VarError::NotPresent) => kept(&home.token()),
        Err(error) => Err(error).with_context(|| format!("cannot read {VARIABLE}")),
    }
}

/// The token in its file, made if there is none. Of many that start at once one makes it; all read what is there then.
fn kept(path: &Path) -> anyhow::Result<Token> {
    let content = match private_file::read(path, Guard::Secret, MAX_FILE_BYTES) {
        Err(missing) if missing.is_missing() => {
            make(path)?;
            private_file::read(path, Guard::Secret, MAX_FILE_BYTES)?
        }
        content => content?,
    };
    let unusable = || format!("{} holds no usable token; delete it to get a new one", path.display());
    let Ok(text) = String::from_utf8(content) else { bail!(unusable()) };
    Token::new(&text).with_context(unusable)
}

fn make(path: &Path) -> anyhow::Result<()> {
    let mut random = [0_u8; RANDOM_BYTES];
    getrandom::fill(&mut random).context("the system gives no random numbers")?;
    let text: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = path.parent().unwrap_or(Path::new("."));
    private_file::create_directory(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    private_file::create(path, text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}
