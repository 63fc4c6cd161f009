import { PassThrough } from 'node:stream';
import { runProgram } from '#cli/run-program.ts';
import { formatServerError, serverProgram } from '../../../appliance/commands/program.ts';

/** Runs a command line of the server's program in this process. Actions write to the console. */
export async function landfall(...args: readonly string[]) {
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  const code = await runProgram(serverProgram(output), args, output, formatServerError);
  return {
    code,
    stdout: String(output.stdout.read() ?? ''),
    stderr: String(output.stderr.read() ?? ''),
  };
}
