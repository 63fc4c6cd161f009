import { setFlagsFromString } from 'node:v8';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import { commands } from './commands/commands.ts';
import { describeError } from './commands/describe-error.ts';
import { runCommandLine } from './commands/run-command-line.ts';

// `landfall` on the server. The program lies in its release as `program/landfall.mjs`.

// What a first boot reads dies young. A young generation that does not grow collects it at once.
setFlagsFromString('--semi-space-growth-factor=1');
// What this program writes for everybody must be readable, whatever the caller's habits.
process.umask(0o022);
const args = process.argv.slice(2);
try {
  await runCommandLine(commands, args);
} catch (error) {
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
  else process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
