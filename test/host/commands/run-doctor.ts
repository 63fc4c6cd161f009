import type { FastHost } from '../machine/fast-host.ts';

/** The parts of `landfall doctor --json` that the tests read. */
export interface Diagnosis {
  readonly findings: ReadonlyArray<{
    code: string;
    subject: string;
    follows: string | null;
    fix: string | null;
  }>;
  readonly skipped: ReadonlyArray<{ name: string; reason: string }>;
  readonly fixes: ReadonlyArray<{ does: string; outcome: string; message?: string }>;
}

/** Runs `landfall doctor --json` as root, or another command line that starts the program. */
export async function runDoctor(
  host: FastHost,
  options = '',
  program = 'landfall',
): Promise<Diagnosis & { exitCode: number }> {
  const ran = await host.run(`${program} doctor --json ${options}`);
  if (ran.stdout === '') throw new Error(ran.stderr);
  return { ...JSON.parse(ran.stdout), exitCode: ran.exitCode };
}

/** Returns the codes of the findings and their subjects. */
export function codesOf({ findings }: Diagnosis): Array<{ code: string; subject: string }> {
  return findings.map(({ code, subject }) => ({ code, subject }));
}
