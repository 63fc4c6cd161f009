#!/usr/bin/env node
// The command `landfall`, in a checkout (`npm link`, `npx landfall`) and in the npm package. This is
// plain JavaScript without dependencies, because the user's Node may be too old for the program. In
// that case it starts this file again with the Node that npm installs with it on Linux.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pinnedNode, runIn } from './pinned-node.mjs';

/** Minimum Node version for this file and npm. */
const oldest = 20;
/** Minimum Node version for the program: libraries require 22.19, a checkout requires type stripping. */
const oldestForProgram = 24;

const self = realpathSync(fileURLToPath(import.meta.url));
const root = join(dirname(self), '..', '..');
const source = join(root, 'builder', 'bin', 'cli.ts');
const isCheckout = existsSync(source);
const program = isCheckout ? source : join(root, 'builder', 'prebuilt', 'cli.mjs');

if (majorVersion() < oldest) {
  console.error(`landfall requires Node ${oldest} or later, but this is ${process.version}.`);
  process.exit(1);
}
if (isCheckout) await import('./install.mjs');
if (majorVersion() >= oldestForProgram) {
  const { keepCompiledCode } = await import('./compile-cache.mjs');
  keepCompiledCode();
  await import(pathToFileURL(program).href);
} else {
  runOnPinnedNode();
}

function majorVersion() {
  return Number(process.versions.node.split('.')[0]);
}

function runOnPinnedNode() {
  const node = pinnedNode(root);
  if (node !== undefined) return runIn(node, [self, ...process.argv.slice(2)]);
  console.error(`landfall requires Node ${oldestForProgram} or later, but this is ${process.version}.
On Linux, npm installs a suitable Node with landfall unless optional packages are omitted. On other
systems, install Node ${oldestForProgram} from nodejs.org.`);
  process.exit(1);
}
