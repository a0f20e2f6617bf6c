//! `reboot`: the phone goes away and comes back.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;
use crate::host::REBOOT;

pub(super) fn run(phone: &Arc<SimPhone>, _: &[&str]) -> Output {
    let phone = Arc::clone(phone);
    tokio::spawn(async move { phone.reboot(REBOOT).await });
    Output::default()
}
