// Installs the dependencies, including the pinned Node. This file is plain JavaScript without
// dependencies, because it runs before the installation, on any Node from 18 on.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const oldestNode = 24;

if (!isInstalled()) install();
checkNode();

/** npm writes this file last: if it is not older than the lock file, the installation is complete. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  return statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  refuseLink();
  console.error('Installing dependencies from the npm registry (about 110 MB, first run only).');
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

/** Returns the npm that runs this script, or the one in PATH when the script is run directly. */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? { command: process.execPath, before: [script] }
    : { command: 'npm', before: [] };
}

/** Exits if node_modules is a link: `npm ci` would empty the target of the link. */
function refuseLink() {
  const folder = join(root, 'node_modules');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  console.error(
    `${folder} is a symbolic link, and npm would empty its target. Remove the link and try again.`,
  );
  process.exit(1);
}

function stop(output) {
  process.stderr.write(output);
  console.error(`\nnpm failed to install the dependencies.\n${adviceFor(output)}`);
  process.exit(1);
}

/** Returns the advice for npm's error code, the most specific first. */
function adviceFor(output) {
  const advice = [
    [/ENOENT.*npm|spawn npm/, 'npm is not installed: install Node 20 or later together with npm.'],
    [/ENOSPC/, 'The disk is full: free about 500 MB and run the command again.'],
    [/EACCES|EPERM/, `Permission denied: make your user the owner of the folder ${root}.`],
    [/EUSAGE/, 'package-lock.json does not match package.json: restore both from the repository.'],
    [
      /EINTEGRITY/,
      'A package does not match its checksum in package-lock.json: run "npm cache clean --force" and try again, or use another registry.',
    ],
    [
      /CERT|SSL|TLS/,
      'A proxy intercepts TLS: set NODE_EXTRA_CA_CERTS to the file of its CA certificate.',
    ],
    [
      /E40[134]/,
      'The registry denies access to a package or does not have it: use another registry.',
    ],
  ];
  const known = advice.find(([pattern]) => pattern.test(output));
  return `${known ? known[1] : 'The npm registry is probably unreachable.'}

  registry in use:        npm config get registry
  use a proxy:            npm config set https-proxy http://HOST:PORT
  use a mirror:           npm config set registry https://YOUR-MIRROR/
  then run the same command again`;
}

/** Exits if Node is too old: since version 24, Node runs TypeScript without a flag. */
function checkNode() {
  const major = (version) => Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  if (major(process.version) >= oldestNode) return;
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const run = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
  if (run.status === 0 && major(run.stdout) >= oldestNode) return;
  console.error(`Node ${oldestNode} or later is required, but this is ${process.version}.
On Linux, npm installs a suitable Node with the other packages, but ${pinned} does not run.
Remove the folder node_modules and try again without --omit=optional; or install Node ${oldestNode}
from nodejs.org.`);
  process.exit(1);
}
