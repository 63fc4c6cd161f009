// Puts the dependencies in place, the pinned Node among them, so that the command after this one
// runs on it: npm puts node_modules/.bin first in the PATH of its scripts. Plain JavaScript without
// dependencies, because it runs before there are any, on whatever Node (18 or later) is at hand.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = 24;

if (!isInstalled()) install();
checkNode();

/** npm writes its own record last, so one that is there and no older than the lock is whole. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  return statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  refuseLink();
  console.error('Installing the dependencies from the npm registry (about 110 MB, only once).');
  const began = Date.now();
  const { command, before } = npm();
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = spawnSync(command, [...before, ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) stop(run.error ? `${run.error.message}\n` : run.stderr);
  console.error(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

/** The npm that runs this script, or the one in PATH when somebody runs it by hand. */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? { command: process.execPath, before: [script] }
    : { command: 'npm', before: [] };
}

/** npm ci empties node_modules first, through a link too. */
function refuseLink() {
  const folder = join(root, 'node_modules');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    `${folder} is a link, and npm would empty the folder that it leads to: remove the link.`,
  );
  process.exit(1);
}

function stop(output) {
  process.stderr.write(output);
  console.error(`\nnpm could not install the dependencies.\n${adviceFor(output)}`);
  process.exit(1);
}

/** The advice for npm's own error code, the most telling first. */
function adviceFor(output) {
  const advice = [
    [/ENOENT.*npm|spawn npm/, 'There is no npm here: install Node 20 or later together with npm.'],
    [/ENOSPC/, 'The disk is full: free about 500 MB and run the command again.'],
    [/EACCES|EPERM/, `npm may not write here: give your user the folder ${root}.`],
    [/EUSAGE/, 'package-lock.json does not match package.json: restore both from the repository.'],
    [
      /EINTEGRITY/,
      'A package is not the one that the lock names: run "npm cache clean --force" and try again, or use another registry.',
    ],
    [
      /CERT|SSL|TLS/,
      'Something between you and the registry changes TLS: name its CA file in NODE_EXTRA_CA_CERTS.',
    ],
    [/E40[134]/, 'The registry refuses or lacks a package: use another one as shown below.'],
  ];
  const known = advice.find(([pattern]) => pattern.test(output));
  return `${known ? known[1] : 'Most likely the registry cannot be reached from here.'}

  registry in use:        npm config get registry
  through a proxy:        npm config set https-proxy http://HOST:PORT
  through a mirror:       npm config set registry https://YOUR-MIRROR/
  afterwards, once more:  the same command`;
}

/** What the scripts after this one need: Node runs TypeScript by itself since 24. */
function checkNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const run = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
  const major = (version) => Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  if (run.status === 0 && major(run.stdout) >= oldestNode) return;
  if (major(process.version) >= oldestNode) return;
  console.error(`Node ${oldestNode} or later is needed, and this is ${process.version}.
npm installs one with the other packages on Linux, but ${pinned} does not run.
Remove the folder node_modules and try again without --omit=optional; or install Node ${oldestNode}
from nodejs.org.`);
  process.exit(1);
}
