import { execa } from 'execa';
import { noOutcome, type Outcome } from './tally.ts';

/** Runs a tool of the project on all files; it counts as one test. */
export async function check(command: string, args: readonly string[]): Promise<Outcome> {
  const { failed } = await execa(command, args, {
    preferLocal: true,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  if (!failed) return { ...noOutcome, passed: 1 };
  return { ...noOutcome, failed: 1, failures: [`failed: ${[command, ...args].join(' ')}`] };
}
