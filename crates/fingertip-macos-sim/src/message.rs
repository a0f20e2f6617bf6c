//! One round trip to an application, with everything that can happen to it on the way.
//!
//! An application answers on its main thread, one message after another, so messages to one application wait for each other
//! and those to different ones do not. A message that would take longer than its caller's timeout is answered with
//! `CannotComplete` when the timeout is over, while the application works on.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::ledger::{fault, lock};
use crate::object::{Body, Ref, get};
use crate::world::{self, DEFAULT_TIMEOUT, NodeId, ROOT, SYSTEM_WIDE, World, ax_error};

/// Whom a message goes to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receiver {
    pub(crate) pid: i32,
    pub(crate) node: NodeId,
    /// How long its sender waits.
    pub(crate) timeout: Duration,
}

/// The element behind a reference.
pub(crate) fn receiver(reference: Ref, who: &str) -> Result<Receiver, i32> {
    match get(reference, who).map(|object| &object.body) {
        Some(Body::Element { pid, node, timeout }) => {
            Ok(Receiver { pid: *pid, node: *node, timeout: Duration::from_secs_f32(effective(timeout)) })
        }
        Some(_) => {
            fault(format!("{who}: not an AXUIElement"));
            Err(ax_error::ILLEGAL_ARGUMENT)
        }
        None => Err(ax_error::ILLEGAL_ARGUMENT),
    }
}

/// A timeout set on a reference holds for that very reference; else the one of the process holds.
fn effective(own: &Mutex<f32>) -> f32 {
    let own = *lock(own);
    if own > 0.0 { own } else { world::with(|world| world.global_timeout.unwrap_or(DEFAULT_TIMEOUT)) }
}

/// Sends a message and waits for its answer.
pub(crate) fn send<T>(
    reference: Ref,
    function: &'static str,
    answer: impl FnOnce(&mut World, Receiver) -> Result<T, i32>,
) -> Result<T, i32> {
    let to = receiver(reference, function)?;
    let done_in = world::with(|world| world.accept(to, function))?;
    let Some(done_in) = done_in else {
        // It hangs: the answer comes when it no longer does.
        let answers = world::wait_until(to.timeout, |world| {
            world
                .apps
                .get(&to.pid)
                .is_none_or(|app| !app.hung && !app.nodes.get(&to.node).is_some_and(|node| node.hangs))
        });
        return if answers {
            world::with(|world| answer_now(world, to, answer))
        } else {
            Err(ax_error::CANNOT_COMPLETE)
        };
    };
    if done_in > to.timeout {
        std::thread::sleep(to.timeout);
        return Err(ax_error::CANNOT_COMPLETE);
    }
    if !done_in.is_zero() {
        std::thread::sleep(done_in);
    }
    world::with(|world| answer_now(world, to, answer))
}

fn answer_now<T>(
    world: &mut World,
    to: Receiver,
    answer: impl FnOnce(&mut World, Receiver) -> Result<T, i32>,
) -> Result<T, i32> {
    if to.pid != SYSTEM_WIDE {
        let app = world.apps.get(&to.pid).ok_or(ax_error::CANNOT_COMPLETE)?;
        if !app.nodes.contains_key(&to.node) {
            return Err(ax_error::INVALID_UI_ELEMENT);
        }
    }
    answer(world, to)
}

impl World {
    /// Puts a message in the queue of its application: when it will be answered, `None` for not before something changes.
    fn accept(&mut self, to: Receiver, function: &'static str) -> Result<Option<Duration>, i32> {
        self.messages += 1;
        match &mut self.untrusted_after {
            Some(0) => (self.trusted, self.untrusted_after) = (false, None),
            Some(left) => *left -= 1,
            None => {}
        }
        if !self.trusted {
            return Err(ax_error::API_DISABLED);
        }
        if to.pid == SYSTEM_WIDE {
            return Ok(Some(Duration::ZERO));
        }
        let gone = if to.node == ROOT { ax_error::CANNOT_COMPLETE } else { ax_error::INVALID_UI_ELEMENT };
        let app = self.apps.get_mut(&to.pid).ok_or(gone)?;
        app.messages += 1;
        *app.messages_by_function.entry(function).or_default() += 1;
        if let Some(left) = &mut app.quits_after {
            if *left == 0 {
                self.quit(to.pid);
                return Err(gone);
            }
            *left -= 1;
        }
        let app = self.apps.get_mut(&to.pid).ok_or(gone)?;
        if app.hung {
            return Ok(None);
        }
        let mut cost = app.latency + app.realize(to.node);
        let node = app.nodes.get_mut(&to.node).ok_or(ax_error::INVALID_UI_ELEMENT)?;
        if node.hangs {
            return Ok(None);
        }
        cost += std::mem::take(&mut node.first_cost);
        let now = Instant::now();
        let begin = app.busy_until.filter(|busy| *busy > now).unwrap_or(now);
        if cost.is_zero() && begin == now {
            return Ok(Some(Duration::ZERO));
        }
        let end = begin + cost;
        app.busy_until = Some(end);
        Ok(Some(end - now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mac;
    use crate::object::{Object, release};
    use crate::world::App;

    fn element(pid: i32) -> Ref {
        let body = Body::Element { pid, node: ROOT, timeout: Mutex::new(0.2) };
        Object::make(body, "test")
    }

    fn started() -> (Mac, i32, Ref) {
        let mut world = World::default();
        let pid = world.start(App::new("Slow", "org.example.slow"));
        let mac = Mac::start(world);
        (mac, pid, element(pid))
    }

    fn ask(element: Ref) -> Result<(), i32> {
        send(element, "test", |_, _| Ok(()))
    }

    #[test]
    fn messages_to_one_application_wait_for_each_other() {
        let (mac, pid, element) = started();
        let cost = Duration::from_millis(30);
        mac.world(|world| {
            if let Some(app) = world.apps.get_mut(&pid) {
                app.latency = cost;
            }
        });
        let address = element as usize;
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(move || assert_eq!(ask(address as Ref), Ok(())));
            }
        });
        assert!(begun.elapsed() >= cost * 3, "three messages were answered at once");
        release(element);
        mac.assert_balanced();
    }

    #[test]
    fn a_hung_application_costs_the_timeout_of_the_reference() {
        let (mac, pid, element) = started();
        let hang = |hung| mac.world(|world| world.apps.get_mut(&pid).map(|app| app.hung = hung));
        hang(true);
        let begun = Instant::now();
        assert_eq!(ask(element), Err(ax_error::CANNOT_COMPLETE));
        assert!(begun.elapsed() >= Duration::from_millis(200));
        hang(false);
        assert_eq!(ask(element), Ok(()));
        release(element);
        mac.assert_balanced();
    }

    #[test]
    fn permission_and_the_end_of_an_application_are_different_errors() {
        let (mac, pid, element) = started();
        mac.world(|world| world.trusted = false);
        assert_eq!(ask(element), Err(ax_error::API_DISABLED));
        mac.world(|world| {
            world.trusted = true;
            world.quit(pid);
        });
        assert_eq!(ask(element), Err(ax_error::CANNOT_COMPLETE));
        release(element);
        mac.assert_balanced();
    }
}
