#!/usr/bin/env node
// The command `landfall`, in a checkout (`npm link`, `npx landfall`) and in the npm package. Plain
// JavaScript without dependencies: it runs on the Node of the user, which may be too old for the
// program. Then it starts the Node that npm installed with it on Linux.

import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Node that runs this file and npm. */
const oldest = 20;
/** Node that runs the program: the libraries want 22.19, and a checkout wants types stripped. */
const oldestForProgram = 24;

const root = join(dirname(realpathSync(fileURLToPath(import.meta.url))), '..', '..');
const source = join(root, 'builder', 'cli.ts');
const isCheckout = existsSync(source);
const program = isCheckout ? source : join(root, 'builder', 'prebuilt', 'cli.mjs');

if (majorVersion() < oldest) {
  console.error(`landfall needs Node ${oldest} or newer, and this is ${process.version}.`);
  process.exit(1);
}
if (isCheckout) await import('../install.mjs');
if (majorVersion() >= oldestForProgram) await import(pathToFileURL(program).href);
else runOnPinnedNode();

function majorVersion() {
  return Number(process.versions.node.split('.')[0]);
}

/** Ctrl-C reaches both processes; this one waits, so that the other may clean up. */
function runOnPinnedNode() {
  const child = spawn(pinnedNode(), [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`cannot start ${pinnedNode()}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.removeAllListeners(signal ?? 'SIGINT');
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function pinnedNode() {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    );
    return join(dirname(manifest), 'bin', 'node');
  } catch {
    console.error(`landfall needs Node ${oldestForProgram} or newer, and this is ${process.version}.
On Linux npm installs one beside it, unless it is told to omit optional packages. Elsewhere, install
Node ${oldestForProgram} from nodejs.org.`);
    process.exit(1);
  }
}
