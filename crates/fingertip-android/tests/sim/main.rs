//! The driver against the simulated phone: every effect is asserted by a second look, or by the phone's own truth.

// Marked as tests as a whole, so that their helpers may unwrap too.
#[cfg(test)]
mod agent;
#[cfg(test)]
mod agent_events;
#[cfg(test)]
mod agent_faults;
#[cfg(test)]
mod agent_jvm;
#[cfg(test)]
mod agent_text;
#[cfg(test)]
mod bench;
#[cfg(test)]
mod crowd;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod files;
#[cfg(test)]
mod here;
#[cfg(test)]
mod keyboard;
#[cfg(test)]
mod logs;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod real_adb;
mod receiver;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod text;
#[cfg(test)]
mod touch;
#[cfg(test)]
mod watching;
