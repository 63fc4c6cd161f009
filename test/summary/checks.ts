import { execa } from 'execa';
import type { Outcome } from './tally.ts';

/** Runs a tool of the project on all files; it counts as one test. */
export async function check(command: string, args: readonly string[]): Promise<Outcome> {
  const { failed } = await execa(command, args, {
    preferLocal: true,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    reject: false,
  });
  const counts = { skipped: 0, slowest: [] };
  if (!failed) return { ...counts, passed: 1, failed: 0, notes: [] };
  return { ...counts, passed: 0, failed: 1, notes: [`failed: ${[command, ...args].join(' ')}`] };
}
