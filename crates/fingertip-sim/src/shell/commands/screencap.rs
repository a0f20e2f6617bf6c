//! `screencap`: the screen as raw pixels behind a header of 16 bytes, or as PNG.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;
use crate::draw::{Bitmap, draw};

/// The number of the pixel format red, green, blue, alpha.
const RGBA_8888: u32 = 1;

/// The number of the colour space sRGB.
const SRGB: u32 = 1;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (mut png, mut file) = (false, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-p" => png = true,
            "-d" => {
                words.next();
            }
            "-h" => return Output::failure(0, "usage: screencap [-hp] [-d display-id] [FILENAME]\n"),
            name if !name.starts_with('-') => file = Some(name),
            _ => return Output::failure(1, "usage: screencap [-hp] [-d display-id] [FILENAME]\n"),
        }
    }
    if phone.faults().plan().screencap_fails {
        return Output::failure(1, "Failed to take screenshot. Status: -22\n");
    }
    let scene = phone.with(|phone| phone.scene());
    let bitmap = draw(&scene);
    let encoded = if png || file.is_some_and(|name| name.ends_with(".png")) {
        bitmap.to_png()
    } else {
        Ok(raw(&bitmap))
    };
    let image = match encoded {
        Ok(image) => image,
        Err(error) => return Output::failure(1, format!("Failed to compress PNG: {error}\n")),
    };
    let Some(file) = file else { return Output::success(image) };
    let now = phone.epoch_seconds();
    match phone.files().write(file, image.into(), 0o660, now) {
        Ok(()) => Output::default(),
        Err(error) => Output::failure(1, format!("Error opening file: {file} ({error})\n")),
    }
}

fn raw(bitmap: &Bitmap) -> Vec<u8> {
    let header = [bitmap.width, bitmap.height, RGBA_8888, SRGB];
    let mut image = Vec::with_capacity(16 + bitmap.rgba.len());
    image.extend(header.into_iter().flat_map(u32::to_le_bytes));
    image.extend_from_slice(&bitmap.rgba);
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn raw_pixels_follow_a_header_of_sixteen_bytes() {
        let phone = SimPhone::start(Profile { width: 320, height: 480, ..Profile::default() });
        let image = run(&phone, &[]).stdout;
        assert_eq!(&image[..16], b"\x40\x01\0\0\xe0\x01\0\0\x01\0\0\0\x01\0\0\0");
        assert_eq!(image.len(), 16 + 320 * 480 * 4);
    }

    #[tokio::test]
    async fn png_holds_the_same_pixels() {
        let phone = SimPhone::start(Profile { width: 320, height: 480, ..Profile::default() });
        let image = run(&phone, &["-p"]).stdout;
        let mut reader = png::Decoder::new(std::io::Cursor::new(image)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, run(&phone, &[]).stdout[16..]);
    }

    #[tokio::test]
    async fn a_named_file_gets_the_image_in_the_form_of_its_name() {
        let phone = SimPhone::start(Profile { width: 320, height: 480, ..Profile::default() });
        assert_eq!(run(&phone, &["/sdcard/a.png"]), Output::default());
        assert!(phone.files().read("/sdcard/a.png").unwrap().starts_with(b"\x89PNG"));
        assert_eq!(run(&phone, &["/system/a.png"]).exit, 1);
    }

    #[tokio::test]
    async fn a_broken_screen_gives_an_error_instead_of_an_image() {
        let phone = SimPhone::start(Profile::default());
        phone.faults().change(|plan| plan.screencap_fails = true);
        assert_eq!(run(&phone, &["-p"]), Output::failure(1, "Failed to take screenshot. Status: -22\n"));
    }
}
