//! `df`: how much room there is.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

/// The size of the phone's storage, in kilobytes.
const SIZE: u64 = 113_014_788;
/// How much of it is used.
const USED: u64 = 21_041_476;

pub(super) fn run(phone: &Arc<SimPhone>, _: &[&str]) -> Output {
    let used = if phone.faults().plan().storage_full { SIZE } else { USED };
    let (free, percent) = (SIZE - used, used * 100 / SIZE);
    Output::success(format!(
        "Filesystem      1K-blocks     Used Available Use% Mounted on\n\
         /dev/block/dm-5 {SIZE} {used} {free:>9} {percent:>3}% /data/user/0\n"
    ))
}
