#!/usr/bin/env node
import { run } from './run.ts';

const { stdin, stdout, stderr, env } = process;

process.exitCode = await run(process.argv.slice(2), {
  stdout,
  stderr,
  stdin,
  env,
  cwd: process.cwd(),
  interactive: stdin.isTTY === true && stderr.isTTY === true && !env.CI,
});
