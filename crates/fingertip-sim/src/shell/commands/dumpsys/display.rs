//! `dumpsys display`: the viewport, which older tools read the rotation from.

use super::super::Output;
use super::surface_flinger::DISPLAY_ID;
use crate::SimPhone;

pub(super) fn run(phone: &SimPhone) -> Output {
    let ((width, height), rotation) = phone.with(|phone| (phone.size(), phone.rotation()));
    Output::success(format!(
        "DISPLAY MANAGER (dumpsys display)\n\
            \x20 mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, \
         uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={rotation}, logicalFrame=Rect(0, 0 - {width}, {height}), \
         physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, deviceHeight={height}}}]\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn the_viewport_turns_with_the_screen() {
        let phone = SimPhone::start(Profile::default());
        phone.with(|phone| phone.lock_rotation(3));
        let text = String::from_utf8(run(&phone).stdout).unwrap();
        assert!(text.contains("orientation=3, logicalFrame=Rect(0, 0 - 2400, 1080)"), "{text}");
    }
}
