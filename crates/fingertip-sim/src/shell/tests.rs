use std::time::Duration;

use proptest::prelude::*;
use proptest::sample;

use super::*;
use crate::phone::Profile;

async fn output(line: &str) -> (String, String, u8) {
    let phone = SimPhone::start(Profile::default());
    let output = run(&phone, line, "in\nput\n").await;
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap(), output.exit)
}

async fn stdout(line: &str) -> String {
    output(line).await.0
}

#[tokio::test]
async fn lists_depend_on_exit_codes() {
    assert_eq!(stdout("true && echo yes || echo no; false && echo yes || echo no").await, "yes\nno\n");
    assert_eq!(stdout("false; echo $?; true; echo $?").await, "1\n0\n");
    assert_eq!(stdout("! false && echo turned").await, "turned\n");
    assert_eq!(output("echo a; exit 3; echo b").await, ("a\n".into(), String::new(), 3));
    assert_eq!(output("false").await.2, 1);
}

#[tokio::test]
async fn an_unknown_command_has_the_phones_words_and_code() {
    let expected = (String::new(), "/system/bin/sh: nope: inaccessible or not found\n".to_owned(), 127);
    assert_eq!(output("nope -x").await, expected);
    assert_eq!(output("echo 'a").await.2, 1);
}

#[tokio::test]
async fn pipes_run_all_their_commands() {
    assert_eq!(stdout("printf 'a\\nb\\nab\\n' | grep b | wc -l").await, "2\n");
    assert_eq!(stdout("cat | head -n 1").await, "in\n");
    assert_eq!(stdout("printf '1\\n2\\n3\\n' | tail -2").await, "2\n3\n");
    assert_eq!(stdout("getprop | grep -E 'ro.product.(model|name)'").await.lines().count(), 2);
}

#[tokio::test]
async fn redirects_lead_to_files_and_nowhere() {
    assert_eq!(stdout("echo one > /sdcard/x; echo two >> /sdcard/x; cat /sdcard/x").await, "one\ntwo\n");
    assert_eq!(output("nope 2>/dev/null; echo $?").await, ("127\n".into(), String::new(), 0));
    assert_eq!(stdout("nope 2>&1").await, "/system/bin/sh: nope: inaccessible or not found\n");
    assert_eq!(stdout("echo x >/sdcard/y; wc -c </sdcard/y").await, "2\n");
    let (_, refused, exit) = output("echo x > /system/y").await;
    assert_eq!((refused.as_str(), exit), ("/system/bin/sh: can't create /system/y: Permission denied\n", 1));
}

#[tokio::test]
async fn variables_last_for_the_line_or_for_one_command() {
    assert_eq!(stdout("A=1; B=$A$A; echo $B \"$B\" '$B' ${A}x").await, "11 11 $B 1x\n");
    assert_eq!(stdout("A=1 true; echo [$A]").await, "[]\n");
    assert_eq!(stdout("export A=1; echo $A").await, "1\n");
}

#[tokio::test(start_paused = true)]
async fn a_background_job_does_not_hold_up_the_line() {
    let phone = SimPhone::start(Profile::default());
    let start = tokio::time::Instant::now();
    let output = run(&phone, "VAR=x nohup sleep 5 >/dev/null 2>&1 & echo $?", "").await;
    assert_eq!(output.stdout, b"0\n");
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(run(&phone, "sleep 2; echo done", "").await.stdout, b"done\n");
    assert!(start.elapsed() >= Duration::from_secs(2));
}

#[tokio::test]
async fn files_are_made_listed_and_compared() {
    let line =
        "cd /data/local/tmp; mkdir -p /sdcard/a/b && echo hello > /sdcard/a/b/c && md5sum /sdcard/a/b/c";
    assert_eq!(stdout(line).await, "b1946ac92492d2347c6235b4d2611184  /sdcard/a/b/c\n");
    let sum = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  -\n";
    assert_eq!(stdout("echo hello | sha256sum").await, sum);
    assert_eq!(stdout("echo x >/sdcard/x; ls /sdcard").await, "DCIM\nDownload\nPictures\nx\n");
    assert_eq!(
        stdout("echo x >/sdcard/x; stat -c '%s %a' /sdcard/x; mv /sdcard/x /sdcard/y; ls /sdcard/y").await,
        "2 660\n/sdcard/y\n"
    );
    assert_eq!(
        output("rm /sdcard/none").await,
        (String::new(), "rm: /sdcard/none: No such file or directory\n".into(), 1)
    );
    assert_eq!(output("rm -f /sdcard/none").await.2, 0);
}

#[tokio::test]
async fn a_shell_in_the_shell_runs_its_line() {
    assert_eq!(output("sh -c 'echo in; exit 4'; echo $?").await.0, "in\n4\n");
    assert_eq!(stdout("A=1 sh -c 'echo $A'").await, "1\n");
}

#[tokio::test(start_paused = true)]
async fn delays_hold_up_only_the_commands_they_name() {
    let phone = SimPhone::start(Profile::default());
    let delay = Duration::from_secs(3);
    phone.faults().change(|plan| plan.latency.push(crate::Latency { prefix: "id".into(), delay }));
    let start = tokio::time::Instant::now();
    run(&phone, "echo id", "").await;
    assert!(start.elapsed() < delay);
    run(&phone, "echo a; id", "").await;
    assert!(start.elapsed() >= delay);
}

#[tokio::test(start_paused = true)]
async fn a_frozen_screen_holds_up_what_touches_it_until_it_thaws() {
    let phone = SimPhone::start(Profile::default());
    phone.faults().change(|plan| plan.frozen_screen = true);
    assert_eq!(run(&phone, "echo alive", "").await.stdout, b"alive\n");
    let tap = run(&phone, "input tap 1 1", "");
    tokio::pin!(tap);
    assert!(tokio::time::timeout(Duration::from_secs(60), &mut tap).await.is_err());
    phone.faults().clear();
    assert_eq!(tap.await.exit, 0);
}

#[tokio::test]
async fn a_screen_that_is_never_still_fails_with_exit_code_zero() {
    let phone = SimPhone::start(Profile::default());
    phone.faults().change(|plan| plan.never_idle = true);
    let output = run(&phone, "uiautomator dump /dev/tty", "").await;
    assert_eq!(
        output,
        Output { stderr: b"ERROR: could not get idle state.\n".to_vec(), ..Output::default() }
    );
}

#[tokio::test]
async fn text_no_key_map_knows_fails_as_on_a_phone() {
    let (_, error, exit) = output("input text 'é'").await;
    assert!(
        error.starts_with(
            "\nException occurred while executing 'text':\n\
        java.lang.NullPointerException: Attempt to get length of null array\n\
        \tat com.android.server.input.InputShellCommand.sendText("
        ),
        "{error}"
    );
    assert_eq!(exit, 255);
}

/// Words that mean something to one command or another, and some that never do.
const WORDS: [&str; 45] = [
    "am",
    "start",
    "-n",
    "a/b",
    "cmd",
    "statusbar",
    "package",
    "content",
    "--uri",
    "content://settings/system",
    "date",
    "+%s",
    "dumpsys",
    "window",
    "displays",
    "activity",
    "input",
    "swipe",
    "text",
    "keyevent",
    "motionevent",
    "1",
    "-5",
    "99999999999999",
    "logcat",
    "-d",
    "-t",
    "-v",
    "epoch",
    "*:S",
    "--pid",
    "uiautomator",
    "dump",
    "--windows",
    "uinput",
    "-",
    "wm",
    "size",
    "settings",
    "stat",
    "-c",
    "%",
    "grep",
    "",
    "-é",
];

/// What may stand between two words; mostly a blank.
const JOINTS: [&str; 7] = [" ", " ", " ", " ' ", "; ", " | ", " & "];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_words_break_a_command(
        words in proptest::collection::vec((sample::select(&WORDS[..]), sample::select(&JOINTS[..])), 1..8)
    ) {
        let line: String = words.iter().flat_map(|(word, joint)| [*word, *joint]).collect();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let phone = SimPhone::start(Profile { width: 320, height: 480, ..Profile::default() });
            // Some lines follow the log for ever; the clock is paused, so waiting costs nothing.
            let running = run(&phone, &line, "{[garbage");
            if let Ok(output) = tokio::time::timeout(Duration::from_secs(200), running).await {
                assert_ne!(output.exit, interpreter::CRASHED, "{line}");
            }
        });
    }
}
