//! Ready-made screens and pictures.

use super::edit::add_windows;
use super::tree::tree;
use crate::Snapshot;
use crate::target::{PixelFormat, Pixels};

/// The application of [`phone`].
pub const APP: &str = "com.example.contacts";
/// The application of [`keyboard`].
pub const KEYBOARD_APP: &str = "com.example.keyboard";

/// A phone showing an address book: a toolbar, a search field, a password field, a scrollable list of rows with
/// a check box each, a floating button over the list, and a button at the bottom.
#[must_use]
pub fn phone() -> Snapshot {
    tree(
        r#"
        screen 1080x2400@420
        app com.example.contacts .MainActivity
        window "Contacts" com.example.contacts [0,0,1080,2400] layer=1 focused
        android.widget.FrameLayout [0,0,1080,2400]
          android.view.ViewGroup #com.example.contacts:id/toolbar [0,63,1080,231]
            android.widget.ImageButton d"Navigate up" [0,63,168,231] cf
            android.widget.TextView "Address book" [189,110,600,184]
          android.widget.EditText h"Search contacts" #com.example.contacts:id/search [42,273,1038,399] clfe
          android.widget.EditText "secret" h"Password" #com.example.contacts:id/password [42,420,1038,546] clfep
          androidx.recyclerview.widget.RecyclerView d"Contacts" #com.example.contacts:id/list [0,588,1080,2100] fs
            android.widget.LinearLayout #com.example.contacts:id/row [0,588,1080,798] clf
              android.widget.TextView "Ada Lovelace" #com.example.contacts:id/name [42,640,700,745]
              android.widget.CheckBox d"Favourite Ada Lovelace" [900,640,1038,745] ckfx
            android.widget.LinearLayout #com.example.contacts:id/row [0,798,1080,1008] clf
              android.widget.TextView "Grace Hopper" #com.example.contacts:id/name [42,850,700,955]
              android.widget.CheckBox d"Favourite Grace Hopper" [900,850,1038,955] ckf
            android.widget.LinearLayout #com.example.contacts:id/row [0,2008,1080,2218] clf
              android.widget.TextView "Alan Turing" #com.example.contacts:id/name [42,2060,700,2165]
          android.widget.ImageButton d"Add contact" #com.example.contacts:id/add [860,1880,1028,2048] cf
          android.widget.Button "Save" #com.example.contacts:id/save [42,2200,1038,2326] cf
        "#,
    )
}

/// The window of a soft keyboard alone, over the lower part of [`phone`].
#[must_use]
pub fn keyboard() -> Snapshot {
    tree(
        r#"
        screen 1080x2400@420
        window "Keyboard" com.example.keyboard [0,1500,1080,2400] input_method layer=2
        android.widget.FrameLayout [0,1500,1080,2400]
          android.view.View d"q" [0,1600,108,1760] c
          android.view.View d"Delete" [918,1960,1080,2120] cl
          android.view.View d"Enter" [918,2160,1080,2320] c
        "#,
    )
}

/// [`phone`] with [`keyboard`] open.
#[must_use]
pub fn phone_with_keyboard() -> Snapshot {
    add_windows(&phone(), &keyboard())
}

/// Two editors of one name, and a calculator that has the focus: three applications of a desktop. The first editor
/// has a minimized window too, the calculator a row that is scrolled off screen.
#[must_use]
pub fn desktop() -> Snapshot {
    tree(
        r#"
        screen 1920x1080@96
        handles lasting
        window "Calculator" calculator [100,100,500,700] layer=3 pid=30 focused
        frame "Calculator" role=window @c0 [100,100,500,700]
          filler role=group @c1 [100,130,500,700]
            label "0" role=label #display @c2 [100,130,500,180]
            push_button "7" role=button @c3 [100,200,200,250] cf action=click
            push_button "+" role=button @c4 [200,200,300,250] cf action=click
            check_box "Scientific" role=check_box @c5 [100,260,300,300] ckf action=click
            slider "Precision" role=slider #precision @c6 [100,310,300,340] f value=2 range=0..9
            text "Memory" role=text_field d"Memory" @c7 [100,350,300,380] cfeo
            list "History" role=list @c8 [100,400,500,600] s
              list_item "1 + 1" role=list_item @c9 [100,400,500,500] c
              list_item "2 + 2" role=list_item @c10 [100,600,500,700] c -v
        window "Notes" editor [600,100,1200,700] layer=2 pid=10
        frame "Notes" role=window @e0 [600,100,1200,700]
          push_button "Save" role=button @e1 [600,130,700,160] cf action=click
          push_button "Save" role=button @e2 [700,130,800,160] cf -n
          password_text d"Password" role=text_field @e3 [600,170,800,200] cfep
        window "Draft" editor [600,100,1200,700] layer=1 pid=10 minimized
        frame "Draft" role=window @e10 [600,100,1200,700]
        window "Notes" editor [0,0,50,50] layer=0 pid=11
        frame "Notes" role=window @o0 [0,0,50,50]
        "#,
    )
}

/// A picture that differs at every place: red grows to the right, green downwards.
#[must_use]
pub fn pixels(width: u32, height: u32) -> Pixels {
    let shade = |position: u32, length: u32| (position * 255 / length.max(1)) as u8;
    let mut data = Vec::with_capacity(width as usize * height as usize * PixelFormat::Rgba.bytes());
    for y in 0..height {
        for x in 0..width {
            data.extend([shade(x, width), shade(y, height), 128, 255]);
        }
    }
    let stride = width as usize * PixelFormat::Rgba.bytes();
    Pixels { width, height, stride, format: PixelFormat::Rgba, data }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flags;
    use crate::test_support::find;

    #[test]
    fn the_password_of_the_phone_is_not_in_it() {
        let phone = phone();
        let password = phone.node(find(&phone, "Password"));
        assert!(password.is(Flags::PASSWORD));
        assert_eq!(password.secret_length, Some(6));
        assert_eq!(password.text, None);
    }

    #[test]
    fn pixels_fill_the_picture() {
        let pixels = pixels(3, 2);
        assert_eq!(pixels.data.len(), pixels.stride * 2);
        assert_eq!(pixels.data[..4], [0, 0, 128, 255]);
        assert_eq!(pixels.data[16..20], [85, 127, 128, 255]);
    }
}
