"""npm packages: a launcher, and one package a platform that carries the program. No script runs at installation, so that
`--ignore-scripts`, proxies and mirrors do no harm: npm itself takes the one package that fits (`os`, `cpu`).
"""

import json

from common import DESCRIPTION, LICENCE, MCP_NAME, PLATFORMS, REGISTRY_NAME, VERSION, File, Platform, documents, tar_gz, text

LAUNCHER = """#!/usr/bin/env node
// Starts the program for this machine, which npm installed beside this package.
"use strict";
const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const packages = PACKAGES;
let program;
try {
  if (!packages[platform]) throw new Error("none");
  program = require.resolve(`${packages[platform]}/fingertip`);
} catch {
  const known = Object.keys(packages);
  console.error(
    known.includes(platform)
      ? `fingertip: the package ${packages[platform]} is missing; npm leaves it out with --omit=optional or --no-optional. ` +
        `Install it: npm install ${packages[platform]}`
      : `fingertip: there is no build for ${platform}; there are builds for ${known.join(", ")}. ` +
        "It may be built from source with cargo."
  );
  process.exit(1);
}

// Standard input and output are the program's own: they are the protocol.
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`fingertip: ${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(each);
  process.kill(process.pid, signal);
});
"""


def package_name(platform: Platform) -> str:
    return f"{REGISTRY_NAME}-{platform.node}"


def launcher() -> tuple[str, bytes]:
    """The package that people name. It knows every platform, built today or not: their packages have the same version."""
    packages = {platform.node: package_name(platform) for platform in PLATFORMS}
    manifest = {
        "name": REGISTRY_NAME,
        "version": VERSION,
        "description": DESCRIPTION,
        "license": LICENCE,
        "mcpName": MCP_NAME,
        "bin": {"fingertip": "fingertip.js", REGISTRY_NAME: "fingertip.js"},
        "files": ["fingertip.js"],
        "engines": {"node": ">=18"},
        "optionalDependencies": {name: VERSION for name in packages.values()},
    }
    script = LAUNCHER.replace("PACKAGES", json.dumps(packages))
    return archive(REGISTRY_NAME, manifest, [File("package/fingertip.js", script.encode(), executable=True)])


def platform_package(platform: Platform, binary: bytes) -> tuple[str, bytes]:
    """The package with the program for a platform."""
    system, processor = platform.node.split("-")
    manifest = {
        "name": package_name(platform),
        "version": VERSION,
        "description": f"{DESCRIPTION}: the program for {platform.node}",
        "license": LICENCE,
        "os": [system],
        "cpu": [processor],
        "files": ["fingertip"],
    }
    return archive(package_name(platform), manifest, [File("package/fingertip", binary, executable=True)])


def archive(name: str, manifest: dict, files: list[File]) -> tuple[str, bytes]:
    files = [text("package/package.json", json.dumps(manifest, indent=2) + "\n"), *files, *documents("package/")]
    return f"{name}-{VERSION}.tgz", tar_gz(files)
