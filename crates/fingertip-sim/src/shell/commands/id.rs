//! `id` and `whoami`: the shell user.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

const GROUPS: &str = "2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),\
    1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs)";

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let groups =
        if phone.faults().plan().no_inet { GROUPS.replace("3003(inet),", "") } else { GROUPS.to_owned() };
    Output::success(match words {
        ["-u"] | ["-g"] => "2000\n".to_owned(),
        ["-un"] | ["-gn"] => "shell\n".to_owned(),
        _ => format!("uid=2000(shell) gid=2000(shell) groups={groups} context=u:r:shell:s0\n"),
    })
}

pub(super) fn whoami(_: &Arc<SimPhone>, _: &[&str]) -> Output {
    Output::success("shell\n")
}
