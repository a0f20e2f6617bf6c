//! Prints `docs/tools.md`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(fingertip_mcp::reference::page().as_bytes())
}
