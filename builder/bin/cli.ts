import { setFlagsFromString } from 'node:v8';
import { endWithReader } from '#cli/end-with-reader.ts';

// Network buffers are short-lived. With a young generation of fixed size, V8 frees them sooner: in
// a full build of 1.2 GB, peak memory drops from 240 MB to 192 MB, and the build is faster.
setFlagsFromString('--semi-space-growth-factor=1');
const { run } = await import('./program.ts');
const { stdin, stdout, stderr, env } = process;
endWithReader(stdout, stderr);

const code = await run(process.argv.slice(2), {
  stdout,
  stderr,
  stdin,
  env,
  cwd: process.cwd(),
  interactive: stdin.isTTY === true && stderr.isTTY === true && !env.CI,
  setExitCode: (value) => {
    process.exitCode = value;
  },
});
if (code !== 0) process.exitCode = code;
