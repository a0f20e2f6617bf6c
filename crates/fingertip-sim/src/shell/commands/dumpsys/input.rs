//! `dumpsys input`: the viewport, which is where the real rotation can be read.

use super::super::Output;
use super::surface_flinger::DISPLAY_ID;
use crate::SimPhone;

pub(super) fn run(phone: &SimPhone) -> Output {
    let (size, rotation, sdk) = phone.with(|phone| (phone.size(), phone.rotation(), phone.profile().sdk));
    let (width, height) = size;
    // Android 15 writes the name of the rotation.
    let orientation =
        if sdk >= 35 { format!("Rotation{}", u32::from(rotation) * 90) } else { rotation.to_string() };
    Output::success(format!(
        "INPUT MANAGER (dumpsys input)\n\nInput Manager State:\n  Interactive: true\n\nEvent Hub State:\n\
            \x20 BuiltInKeyboardId: -2\n  Devices:\n\
         \x20   1: touchscreen\n      Classes: TOUCH | TOUCH_MT\n      Path: /dev/input/event1\n\n\
             Input Reader State:\n  Device 1: touchscreen\n\
         \x20   Viewport INTERNAL: displayId=0, uniqueId=local:{DISPLAY_ID}, port=0, orientation={orientation}, \
         logicalFrame=[0, 0, {width}, {height}], physicalFrame=[0, 0, {width}, {height}], deviceSize=[{width}, {height}], isActive=[1]\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn the_viewport_turns_with_the_screen() {
        let phone = SimPhone::start(Profile::default());
        phone.with(|phone| phone.lock_rotation(1));
        let text = String::from_utf8(run(&phone).stdout).unwrap();
        assert!(text.contains("orientation=1, logicalFrame=[0, 0, 2400, 1080]"), "{text}");
    }
}
