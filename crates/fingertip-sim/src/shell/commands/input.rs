//! `input`: taps, swipes, text and keys, one finger at most.
//!
//! Quirks kept: whatever is wrong with the arguments is a Java exception on standard error; text with one
//! character no key map knows fails as a whole, with the `NullPointerException` of the real command.

mod keys;
mod parse;

use std::time::Duration;

use self::parse::{Failure, Step};
use super::{Call, Closed, Output};
use crate::SimPhone;
use crate::phone::{KeyCode, TouchAction, TouchEvent};

/// Time between two points of a moving finger.
const FRAME: Duration = Duration::from_millis(8);

/// How long a finger stays still before it drags something; Android's long-press timeout.
const DRAG_HOLD: Duration = Duration::from_millis(500);

/// Exit code of a Java exception.
const EXCEPTION: u8 = 255;

/// The finger of this command.
const POINTER: u32 = 0;

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let words = call.words();
    let step = match parse::parse(&words) {
        Ok(step) => step,
        Err(Failure::Usage) => {
            return call
                .print(Output { stdout: parse::USAGE.into(), exit: EXCEPTION, ..Output::default() })
                .await;
        }
        Err(Failure::Unknown(command)) => {
            return call
                .print(Output {
                    stdout: format!("Unknown command: {command}\n").into(),
                    exit: EXCEPTION,
                    ..Output::default()
                })
                .await;
        }
        Err(Failure::Exception { command, text }) => {
            return call.print(Output::failure(EXCEPTION, exception(&command, &text))).await;
        }
    };
    perform(call.phone, step).await;
    Ok(0)
}

/// An exception as the shell of a system service prints it.
fn exception(command: &str, text: &str) -> String {
    let method = match command {
        "text" => {
            "sendText(InputShellCommand.java:311)\n\
                \tat com.android.server.input.InputShellCommand.runText(InputShellCommand.java:287)"
        }
        "swipe" | "draganddrop" => "sendSwipe(InputShellCommand.java:466)",
        _ => "runTap(InputShellCommand.java:441)",
    };
    format!(
        "\nException occurred while executing '{command}':\n{text}\n\
            \tat com.android.server.input.InputShellCommand.{method}\n\
         \tat com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java:224)\n\
         \tat com.android.modules.utils.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)\n\
         \tat android.os.ShellCommand.exec(ShellCommand.java:38)\n\
         \tat com.android.server.input.InputManagerService.onShellCommand(InputManagerService.java:2491)\n\
         \tat android.os.Binder.shellCommand(Binder.java:1073)\n\
         \tat android.os.Binder.onTransact(Binder.java:901)\n\
         \tat android.hardware.input.IInputManager$Stub.onTransact(IInputManager.java:1173)\n\
         \tat android.os.Binder.execTransactInternal(Binder.java:1344)\n\
         \tat android.os.Binder.execTransact(Binder.java:1275)\n"
    )
}

async fn perform(phone: &SimPhone, step: Step) {
    match step {
        Step::Tap(x, y) => {
            touch(phone, TouchAction::Down, x, y);
            touch(phone, TouchAction::Up, x, y);
        }
        Step::Swipe { from, to, duration, hold } => {
            touch(phone, TouchAction::Down, from.0, from.1);
            if hold {
                tokio::time::sleep(DRAG_HOLD).await;
            }
            glide(phone, from, to, duration).await;
            touch(phone, TouchAction::Up, to.0, to.1);
        }
        Step::Motion(action, x, y) => touch(phone, action, x, y),
        Step::Text(text) => phone.with(|phone| {
            for character in text.chars() {
                phone.type_char(character);
            }
        }),
        Step::Keys { codes, long, times, delay } => {
            for (index, code) in codes.into_iter().enumerate() {
                if index > 0 {
                    tokio::time::sleep(delay).await;
                }
                for _ in 0..times {
                    phone.with(|phone| if long { phone.long_key(code) } else { phone.key(code, 0) });
                }
            }
        }
        Step::Combination(codes) => {
            let meta = codes.iter().fold(0, |meta, code| meta | keys::meta_of(*code));
            for code in codes.into_iter().filter(|code| keys::meta_of(*code) == 0) {
                phone.with(|phone| phone.key(code, meta));
            }
        }
        Step::Press => phone.with(|phone| phone.key(KeyCode::DPAD_CENTER, 0)),
        Step::Nothing => {}
    }
}

fn touch(phone: &SimPhone, action: TouchAction, x: f32, y: f32) {
    phone.with(|phone| {
        let at = phone.now();
        phone.touch(TouchEvent { action, pointer: POINTER, x, y, at });
    });
}

/// Moves the finger in a straight line at an even pace.
async fn glide(phone: &SimPhone, from: (f32, f32), to: (f32, f32), duration: Duration) {
    let start = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(FRAME.min(duration)).await;
        let elapsed = start.elapsed();
        if elapsed >= duration {
            break;
        }
        let share = elapsed.div_duration_f32(duration);
        let between = |from: f32, to: f32| from + (to - from) * share;
        touch(phone, TouchAction::Move, between(from.0, to.0), between(from.1, to.1));
    }
    touch(phone, TouchAction::Move, to.0, to.1);
}
