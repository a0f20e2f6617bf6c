//! The `fingertip` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    fingertip::main(fingertip::platforms::attach)
}
