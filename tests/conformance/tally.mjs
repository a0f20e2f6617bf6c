// Counts the checks a conformance run wrote and decides whether it passed.
//
// Stricter than the suite's exit code: a warning or a skipped check fails the run, and so does a run with fewer
// passed checks than expected, so that scenarios which silently stop running are noticed.
//
// Usage: node tally.mjs RESULTS_FOLDER EXPECTED_CHECKS [PREFIX_OF_SCENARIOS_TO_LEAVE_OUT]

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, expected, leftOut] = process.argv.slice(2);
const PASSING = new Set(["SUCCESS", "INFO"]);

let passed = 0;
const problems = [];
const scenarios = new Set();
for (const entry of readdirSync(folder)) {
  const scenario = entry.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
  if (leftOut && scenario.startsWith(leftOut)) continue;
  scenarios.add(scenario);
  for (const check of JSON.parse(readFileSync(join(folder, entry, "checks.json"), "utf8"))) {
    if (check.status === "SUCCESS") passed += 1;
    if (!PASSING.has(check.status)) {
      problems.push(`${check.status} ${scenario}: ${check.id}: ${check.errorMessage ?? check.description}`);
    }
  }
}

for (const problem of problems) console.error(problem);
console.log(`${scenarios.size} scenarios, ${passed} checks passed, ${problems.length} not`);
if (passed < Number(expected)) console.error(`expected at least ${expected} passed checks`);
process.exit(problems.length === 0 && passed >= Number(expected) ? 0 : 1);
