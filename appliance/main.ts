import { setFlagsFromString } from 'node:v8';
import { runProgram } from '#cli/run-program.ts';
import { formatServerError } from './commands/format-error.ts';
import { serverProgram } from './commands/program.ts';

// `landfall` on the server. The program lies in its release as `program/landfall.mjs`.

// What a first boot reads dies young. A young generation that does not grow collects it at once.
setFlagsFromString('--semi-space-growth-factor=1');
// What this program writes for everybody must be readable, whatever the caller's habits.
process.umask(0o022);
const args = process.argv.slice(2);
const code = await runProgram(
  serverProgram(process),
  args.length === 0 ? ['help'] : args,
  process,
  formatServerError,
);
// A command that has done its work may have set an exit code of its own.
if (code !== 0) process.exitCode = code;
