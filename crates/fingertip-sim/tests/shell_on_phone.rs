//! The phone used through its shell alone, as a driver without a program on the phone does.

use std::sync::Arc;

use fingertip_sim::phone::Profile;
use fingertip_sim::{SimPhone, shell};
use regex_lite::Regex;

/// A phone and the few things a driver does with its shell.
struct Driver {
    phone: Arc<SimPhone>,
}

impl Driver {
    fn start() -> Self {
        Self { phone: SimPhone::start(Profile::default()) }
    }

    async fn shell(&self, line: &str) -> String {
        let output = shell::run(&self.phone, line, "").await;
        assert_eq!((output.exit, output.stderr.as_slice()), (0, &b""[..]), "{line}");
        String::from_utf8(output.stdout).expect("text")
    }

    async fn dump(&self) -> String {
        self.shell("uiautomator dump >/dev/null; cat /sdcard/window_dump.xml").await
    }

    /// An attribute of the first node whose own attributes match.
    async fn attribute(&self, node: &str, name: &str) -> Option<String> {
        let xml = self.dump().await;
        let node = Regex::new(&format!("<node [^>]*{node}[^>]*>")).expect("a pattern").find(&xml)?;
        let value =
            Regex::new(&format!(" {name}=\"([^\"]*)\"")).expect("a pattern").captures(node.as_str())?;
        Some(value[1].to_owned())
    }

    async fn center(&self, node: &str) -> (i32, i32) {
        let bounds = self.attribute(node, "bounds").await.unwrap_or_else(|| panic!("no node {node}"));
        let numbers: Vec<i32> =
            bounds.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse().ok()).collect();
        ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
    }

    async fn tap(&self, node: &str) {
        let (x, y) = self.center(node).await;
        self.shell(&format!("input tap {x} {y}")).await;
        self.settle().await;
    }

    /// Lets animations and double-tap timeouts pass.
    async fn settle(&self) {
        tokio::time::sleep(std::time::Duration::from_millis(800)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn seven_and_three_are_ten() {
    let driver = Driver::start();
    driver.shell("am start -n com.android.calculator2/.Calculator").await;
    driver.settle().await;
    for key in ["digit_7", "op_add", "digit_3", "eq"] {
        driver.tap(&format!("calculator2:id/{key}\"")).await;
    }
    assert_eq!(driver.attribute("calculator2:id/result\"", "text").await.as_deref(), Some("10"));
}

#[tokio::test(start_paused = true)]
async fn the_focus_follows_what_is_started() {
    let driver = Driver::start();
    driver.shell("monkey -p com.android.settings -c android.intent.category.LAUNCHER 1").await;
    driver.settle().await;
    let focus = driver.shell("dumpsys window displays | grep mCurrentFocus").await;
    assert!(focus.contains(" u0 com.android.settings/"), "{focus}");
    driver.shell("input keyevent HOME").await;
    driver.settle().await;
    let focus = driver.shell("dumpsys window | grep mFocusedApp").await;
    assert!(focus.contains(" u0 com.android.launcher3/"), "{focus}");
    driver.shell("cmd statusbar expand-notifications").await;
    driver.settle().await;
    assert!(driver.dump().await.contains("package=\"com.android.systemui\""));
    driver.shell("cmd statusbar collapse").await;
    driver.settle().await;
    assert!(driver.dump().await.contains("package=\"com.android.launcher3\""));
}

#[tokio::test(start_paused = true)]
async fn a_swipe_scrolls_a_list() {
    let driver = Driver::start();
    driver.shell("am start -n com.android.settings/.Settings").await;
    driver.settle().await;
    let before = driver.dump().await;
    driver.shell("input swipe 540 1800 540 600 400").await;
    driver.settle().await;
    driver.settle().await;
    let after = driver.dump().await;
    assert_ne!(before, after, "the list must move");
}

#[tokio::test(start_paused = true)]
async fn text_and_keys_arrive_in_the_field_with_the_focus() {
    let driver = Driver::start();
    driver.shell("am start com.fingertip.demo.notes").await;
    driver.settle().await;
    driver.tap("id/fab_new\"").await;
    driver.tap("id/edit_title\"").await;
    driver.shell("input text 'Milk%s&%sEggs'").await;
    assert_eq!(driver.attribute("id/edit_title\"", "text").await.as_deref(), Some("Milk &amp; Eggs"));
    driver.shell("input keyevent DEL; input keycombination 113 29; input keyevent DEL").await;
    assert_eq!(driver.attribute("id/edit_title\"", "text").await.as_deref(), Some("Title"), "the hint shows");
}

#[tokio::test(start_paused = true)]
async fn two_fingers_zoom_a_photo() {
    let driver = Driver::start();
    driver.shell("am start com.fingertip.demo.gallery").await;
    driver.settle().await;
    let (x, y) = driver.center("clickable=\"true\"").await;
    driver.shell(&format!("input tap {x} {y}")).await;
    driver.settle().await;
    assert_eq!(driver.attribute("id/zoom_label\"", "text").await.as_deref(), Some("Zoom 100 %"));
    let mut events = String::from(
        r#"{"id":1,"command":"register","name":"touch","vid":1,"pid":1,"bus":"usb","configuration":[{"type":100,"data":[1,3]},
        {"type":101,"data":[330]},{"type":103,"data":[47,53,54,57]},{"type":110,"data":[1]}],
        "abs_info":[{"code":53,"info":{"value":0,"minimum":0,"maximum":1079,"fuzz":0,"flat":0,"resolution":0}},
        {"code":54,"info":{"value":0,"minimum":0,"maximum":2399,"fuzz":0,"flat":0,"resolution":0}}]}"#,
    );
    for step in 0..=10 {
        let (left, right) = (500 - step * 30, 580 + step * 30);
        let down = if step == 0 { ("3,57,1,", "3,57,2,") } else { ("", "") };
        events.push_str(&format!(
            r#"{{"id":1,"command":"inject","events":[3,47,0,{}3,53,{left},3,54,1200,3,47,1,{}3,53,{right},3,54,1200,0,0,0]}}
            {{"id":1,"command":"delay","duration":16}}"#,
            down.0, down.1
        ));
    }
    events.push_str(r#"{"id":1,"command":"inject","events":[3,47,0,3,57,-1,3,47,1,3,57,-1,0,0,0]}"#);
    let output = shell::run(&driver.phone, "uinput -", events).await;
    assert_eq!(output, shell::Output::default());
    driver.settle().await;
    let zoom = driver.attribute("id/zoom_label\"", "text").await.unwrap_or_default();
    let percent: u32 = zoom.trim_start_matches("Zoom ").trim_end_matches(" %").parse().expect("a number");
    assert!(percent > 150, "{zoom}");
}

#[tokio::test(start_paused = true)]
async fn a_ticking_clock_is_never_idle_when_the_dump_waits() {
    let driver = Driver::start();
    driver.shell("am start com.android.deskclock").await;
    driver.settle().await;
    driver.phone.faults().change(|plan| plan.idle_wait = Some(std::time::Duration::from_secs(1)));
    let output = shell::run(&driver.phone, "uiautomator dump /dev/tty", "").await;
    assert_eq!((output.exit, output.stderr), (0, b"ERROR: could not get idle state.\n".to_vec()));
    driver.shell("input keyevent HOME").await;
    assert!(
        driver
            .shell("uiautomator dump /dev/tty")
            .await
            .ends_with("</hierarchy>UI hierchary dumped to: /dev/tty\n")
    );
}
