// Plain JavaScript without dependencies: it runs on the user's Node, which may be too old for TypeScript.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the path of the Node that npm installs with Landfall; undefined if there is none. */
export function pinnedNode(root) {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    );
    return join(dirname(manifest), 'bin', 'node');
  } catch {
    return undefined;
  }
}

/**
 * Runs a program in another Node, and ends like it: with its exit code or by its signal. Ctrl-C reaches
 * both processes. This one waits until the child has cleaned up.
 */
export function runIn(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`cannot start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.removeAllListeners(signal ?? 'SIGINT');
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}
