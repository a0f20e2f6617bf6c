"""Breaks the macOS backend in one place after another, and expects its tests over the simulated Mac to notice each time.

Usage: mutations.py [--target FOLDER] [--after COUNT] [NAME...]    all mutations by default

Works on a copy of the sources. Run on request, since each mutation is a build; a mutation that no longer applies, or that
survives, is a failure. Survivors mean that a test is missing.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path("crates/fingertip-macos/src")
# Seconds that the tests of one mutation may take; one that hangs is noticed too. They take a tenth on a machine at rest.
LIMIT = 600


class Mutation(NamedTuple):
    """A change of one place, by its text."""

    name: str
    file: str
    before: str
    after: str


MUTATIONS = [
    # Ownership.
    Mutation("a copied reference is retained again", "element.rs", "CFRetained::from_raw(stored)", "CFRetained::retain(stored)"),
    Mutation("a lent element is taken over", "element.rs", "Self(lent.retain())", "Self(unsafe { CFRetained::from_raw(NonNull::from(lent)) })"),
    Mutation("a new observer is retained again", "events/observer.rs", "CFRetained::from_raw(slot)", "CFRetained::retain(slot)"),
    Mutation("a name lent to the callback is taken over", "events/observer.rs", "value::bounded(name.as_ref())", "value::bounded(&CFRetained::from_raw(name))"),
    Mutation("an observer is forgotten", "events/observer.rs", "            drop(observer);\n", "            std::mem::forget(observer);\n"),
    Mutation("an answer is forgotten", "element.rs", "value::read(&object)\n    }\n\n    /// Many", "{ let read = value::read(&object); std::mem::forget(object); read }\n    }\n\n    /// Many"),
    # Types.
    Mutation("anything is taken for a string", "value.rs", "if let Some(text) = object.downcast_ref::<CFString>() {", "if let Some(text) = Some(unsafe { &*(&raw const *object).cast::<CFString>() }) {"),
    Mutation("an attributed string is taken for a string", "value.rs", "return text.string().map(|text| bounded(&text));", "return Some(bounded(unsafe { &*(&raw const *text).cast::<CFString>() }));"),
    Mutation("an error in a batch is taken for a value", "value.rs", "check(AXError(code))?;", "return Ok(Value::Number(f64::from(code)));"),
    Mutation("a point has its sides exchanged", "value.rs", "Value::Point(point.x, point.y)", "Value::Point(point.y, point.x)"),
    Mutation("a size has its sides exchanged", "value.rs", "Value::Size(size.width, size.height)", "Value::Size(size.height, size.width)"),
    Mutation("a list says that it is empty", "value.rs", "let total = list.len();", "let total = 0;"),
    # Errors.
    Mutation("one missing attribute spoils the batch", "element.rs", "AXCopyMultipleAttributeOptions(0)", "AXCopyMultipleAttributeOptions(1)"),
    Mutation("an action's error is ignored", "element.rs", "check(unsafe { self.0.perform_action(&CFString::from_str(action)) })", "{ let _ = unsafe { self.0.perform_action(&CFString::from_str(action)) }; Ok(()) }"),
    Mutation("no answer is taken for gone", "failure.rs", "AXError::CannotComplete => Failure::NoAnswer", "AXError::CannotComplete => Failure::Gone"),
    Mutation("gone is taken for no value", "failure.rs", "AXError::InvalidUIElement => Failure::Gone", "AXError::InvalidUIElement => Failure::NoValue"),
    Mutation("not allowed is taken for no value", "failure.rs", "AXError::APIDisabled => Failure::NotTrusted", "AXError::APIDisabled => Failure::NoValue"),
    Mutation("an action that opened a dialog is reported as failed", "actions/effect.rs", "Err(Failure::NoAnswer) if before.has_changed(element)? => Ok(()),\n", ""),
    Mutation("elements that do not answer are not told", "tree/walk.rs", 'self.walked.tree.cut("some elements did not answer in time");', ""),
    Mutation("an application that quit while it was read is not told", "tree/walk.rs", "if gone > 0 && !is_running", "if gone > usize::MAX - 1 && !is_running"),
    # Time.
    Mutation("the timeout is set on a throw-away element", "element.rs", "Element::system_wide().answer_within(limit)", "Element::application(1).answer_within(limit)"),
    Mutation("a cold application is woken again and again", "chromium.rs", "if let State::Unknown = self.state() {", "if !matches!(self.state(), State::Native) {"),
    Mutation("an incomplete tree is not told", "chromium.rs", "raw.walked.tree.cut = Some(INCOMPLETE.to_owned());", ""),
    # Reading.
    Mutation("a cycle is followed", "tree/walk.rs", "if self.walked.tree.find(&step.element).is_some() {", "if false {"),
    Mutation("a sheet is no window", "tree/walk.rs", "if &*role == roles::SHEET && self.walked", "if &*role == \"\" && self.walked"),
    Mutation("windows that are out of sight are on the screen", "window_list.rs", "shown.is_some_and(|shown| shown.as_bool())", "true"),
    Mutation("a window's number is taken for its owner", "window_list.rs", "whole(entry, owner)?", "whole(entry, number)?"),
    # Acting.
    Mutation("a boolean is set to its opposite", "element.rs", "CFBoolean::new(flag)", "CFBoolean::new(!flag)"),
    Mutation("a place is set with its sides exchanged", "element.rs", "&mut CGPoint { x, y }", "&mut CGPoint { x: y, y: x }"),
    Mutation("what can be set is mistaken", "element.rs", "Ok(settable != 0)", "Ok(settable == 0)"),
    Mutation("a press without effect stays so", "actions/effect.rs", "    element.click()\n", "    Ok(())\n"),
    Mutation("a hit test looks elsewhere", "element.rs", "place.x as f32, place.y as f32", "place.y as f32, place.x as f32"),
    # Typing.
    Mutation("more is typed than an event takes", "input/typing.rs", "const MOST_UNITS: usize = 20;", "const MOST_UNITS: usize = 40;"),
    Mutation("a pair is split", "input/typing.rs", "units.len() + character.len_utf16() > MOST_UNITS", "units.len() >= MOST_UNITS"),
    Mutation("everything is typed twice", "input/typing.rs", "for event in [&down, &up] {", "for event in [&down, &down] {"),
    # Events and permissions.
    Mutation("an observer is never heard", "events/observer.rs", "run_loop.0.add_source(Some(&source), kCFRunLoopDefaultMode);", "let _ = &source;"),
    Mutation("the permission is taken for granted", "permissions.rs", "unsafe { AXIsProcessTrusted() }", "unsafe { AXIsProcessTrusted() || true }"),
    Mutation("what was done while the permission was withdrawn is believed", "permissions.rs", "if is_trusted() { outcome }", "if is_trusted() || true { outcome }"),
    Mutation("the screen is taken for visible", "permissions.rs", "    CGPreflightScreenCaptureAccess()\n", "    CGPreflightScreenCaptureAccess() || true\n"),
]


def copy_of_the_sources(to: Path) -> None:
    """What git knows of, as it is in the working tree, and newer than what an earlier run built of it."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    tar = subprocess.run(["tar", "--create", "--null", "--files-from=-"], cwd=ROOT, input=names, check=True, capture_output=True)
    subprocess.run(["tar", "--extract", "--touch"], cwd=to, input=tar.stdout, check=True)


def tests(copy: Path, target: Path) -> tuple[bool, str]:
    """Whether the tests pass, and what they said last."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    command = ["cargo", "test", "--package", "fingertip-macos", "--lib", "--tests"]
    built = subprocess.run([*command, "--no-run"], cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if built.returncode:
        sys.exit(f"it does not compile:\n{built.stderr[-3000:]}")
    begun = time.monotonic()
    with subprocess.Popen(
        ["timeout", str(LIMIT), *command], cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        for line in running.stdout:
            # The first test that fails is enough.
            if "FAILED" in line:
                running.terminate()
                return False, line.strip()
    if time.monotonic() - begun >= LIMIT:
        return False, "they did not end"
    return running.returncode == 0, f"the tests ended with {running.returncode}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", type=Path, default=ROOT / "target/mutations")
    parser.add_argument("--after", type=int, default=0, help="how many to leave out at the beginning")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    chosen = [mutation for mutation in MUTATIONS[arguments.after :] if not arguments.names or mutation.name in arguments.names]
    survived = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copy_of_the_sources(copy)
        passes, said = tests(copy, arguments.target)
        if not passes:
            sys.exit(f"the tests fail without any mutation: {said}")
        for mutation in chosen:
            begun, path = time.monotonic(), copy / SOURCES / mutation.file
            whole = path.read_text()
            if whole.count(mutation.before) != 1:
                sys.exit(f"'{mutation.name}' applies {whole.count(mutation.before)} times in {mutation.file}")
            path.write_text(whole.replace(mutation.before, mutation.after))
            passes, said = tests(copy, arguments.target)
            path.write_text(whole)
            print("SURVIVED" if passes else "caught", mutation.name, f"({time.monotonic() - begun:.0f} s)", said[:160], flush=True)
            if passes:
                survived.append(mutation.name)
    print(f"{len(chosen) - len(survived)} of {len(chosen)} mutations were caught")
    if survived:
        sys.exit(f"survived: {', '.join(survived)}")


if __name__ == "__main__":
    main()
