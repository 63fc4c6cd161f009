// node builder/bin/run.mjs <file> [argument…]: installs the dependencies if they are missing, and runs a
// TypeScript file of the project on the pinned Node. The scripts of package.json start with it.

import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pinnedNode, runIn } from './pinned-node.mjs';
import './install.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [file = '', ...args] = process.argv.slice(2);
const program = resolve(root, file);
const pinned = pinnedNode(root);
// npm puts the pinned Node first in the PATH of its scripts, except before the installation.
if (pinned === undefined || pinned === process.execPath) {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
} else {
  runIn(pinned, [program, ...args]);
}
