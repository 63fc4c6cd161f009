#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Network buffers die young. A young generation that does not grow collects them at once: measured
// on a full build of 1.2 GB, 240 MB of peak memory become 192 MB, and the build is faster for it.
setFlagsFromString('--semi-space-growth-factor=1');
// From the second run on, types need not be stripped again (another 15 MB and half a second).
enableCompileCache();
const { run } = await import('./run.ts');
const { stdin, stdout, stderr, env } = process;

process.exitCode = await run(process.argv.slice(2), {
  stdout,
  stderr,
  stdin,
  env,
  cwd: process.cwd(),
  interactive: stdin.isTTY === true && stderr.isTTY === true && !env.CI,
});
