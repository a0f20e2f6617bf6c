//! `dumpsys package NAME`: version and place of a package.

use super::super::{Output, pm};
use super::identity;
use crate::SimPhone;
use crate::phone::Package;

pub(super) fn run(phone: &SimPhone, words: &[&str]) -> Output {
    let packages = phone.with(|phone| phone.packages());
    match words.iter().find(|word| !word.starts_with('-')) {
        Some(name) => match packages.iter().find(|package| package.name == *name) {
            Some(package) => Output::success(format!("Packages:\n{}", describe(package))),
            None => Output::success(format!("Unable to find package: {name}\n")),
        },
        None => Output::success(format!("Packages:\n{}", packages.iter().map(describe).collect::<String>())),
    }
}

fn describe(package: &Package) -> String {
    let hash = identity(package.name);
    let (name, path) = (package.name, pm::path(package));
    let folder = path.rsplit_once('/').map_or(path.as_str(), |(folder, _)| folder);
    format!(
        "  Package [{name}] ({hash}):\n    appId={}\n    pkg=Package{{{hash} {name}}}\n\
            \x20   codePath={folder}\n\
         \x20   versionCode={} minSdk=24 targetSdk=34\n    versionName={}\n\
             \x20   flags=[ SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA ]\n\
         \x20   User 0: ceDataInode=4242 installed=true hidden=false suspended=false stopped=false\n",
        package.uid, package.version_code, package.version_name,
    )
}
