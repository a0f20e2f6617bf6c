//! System properties, as `getprop` shows them.

use std::collections::BTreeMap;

use crate::phone::Profile;

/// Properties by name, sorted as `getprop` prints them.
pub(crate) type Properties = BTreeMap<String, String>;

/// The properties of a phone fresh from the box.
pub(crate) fn of(profile: &Profile) -> Properties {
    let fingerprint = format!(
        "{}/{}/{}:{}/{}/10754064:user/release-keys",
        profile.manufacturer.to_lowercase(),
        profile.product,
        profile.device,
        profile.android,
        profile.build
    );
    let sdk = profile.sdk.to_string();
    let density = profile.density.to_string();
    let pairs = [
        ("dalvik.vm.heapsize", "512m"),
        ("gsm.operator.alpha", ""),
        ("init.svc.adbd", "running"),
        ("init.svc.bootanim", "stopped"),
        ("persist.sys.locale", "en-US"),
        ("persist.sys.timezone", &profile.time_zone),
        ("ro.boot.serialno", &profile.serial),
        ("ro.build.characteristics", "nosdcard"),
        ("ro.build.display.id", &profile.build),
        ("ro.build.fingerprint", &fingerprint),
        ("ro.build.id", &profile.build),
        ("ro.build.tags", "release-keys"),
        ("ro.build.type", "user"),
        ("ro.build.version.codename", "REL"),
        ("ro.build.version.incremental", "10754064"),
        ("ro.build.version.release", &profile.android),
        ("ro.build.version.sdk", &sdk),
        ("ro.build.version.security_patch", "2023-10-05"),
        ("ro.debuggable", "0"),
        ("ro.hardware", &profile.device),
        ("ro.product.brand", &profile.manufacturer),
        ("ro.product.cpu.abi", &profile.abi),
        ("ro.product.cpu.abilist", &profile.abi),
        ("ro.product.device", &profile.device),
        ("ro.product.locale", "en-US"),
        ("ro.product.manufacturer", &profile.manufacturer),
        ("ro.product.model", &profile.model),
        ("ro.product.name", &profile.product),
        ("ro.secure", "1"),
        ("ro.serialno", &profile.serial),
        ("ro.sf.lcd_density", &density),
        ("sys.boot_completed", "1"),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
