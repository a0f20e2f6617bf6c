//! The token: from the environment, else from its file, else made now. There is always one.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use fingertip_mcp::transport::{Token, private_file};

use crate::home::Home;

/// Gives the token directly, as in a container.
pub(crate) const VARIABLE: &str = "FINGERTIP_TOKEN";
/// Bytes of randomness in a token of our own making.
const RANDOM_BYTES: usize = 32;

/// The token clients must send.
pub(crate) fn find(home: &Home) -> anyhow::Result<Token> {
    match std::env::var(VARIABLE) {
        Ok(text) => Token::new(&text).with_context(|| format!("{VARIABLE} holds no usable token")),
        Err(std::env::VarError::NotPresent) => kept(&home.token()),
        Err(error) => Err(error).with_context(|| format!("cannot read {VARIABLE}")),
    }
}

/// The token in its file, made if there is none. A file that others can read is no secret any more.
fn kept(path: &Path) -> anyhow::Result<Token> {
    let shown = path.display();
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return make(path),
        text => text.with_context(|| format!("cannot read {shown}"))?,
    };
    if !private_file::is_private(path)? {
        bail!("others can read or change {shown}; make it yours alone with: chmod 600 {shown}");
    }
    Token::new(text.trim())
        .with_context(|| format!("{shown} holds no usable token; delete it to get a new one"))
}

fn make(path: &Path) -> anyhow::Result<Token> {
    let mut random = [0_u8; RANDOM_BYTES];
    getrandom::fill(&mut random).context("the system gives no random numbers")?;
    let text: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = path.parent().unwrap_or(Path::new("."));
    private_file::create_directory(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    private_file::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Token::new(&text)?)
}
