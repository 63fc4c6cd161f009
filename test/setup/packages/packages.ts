import { existsSync } from 'node:fs';
import { noOutcome, type Outcome } from '../../summary/tally.ts';
import type { Say } from '../say.ts';
import { available, install, updateLists } from './apt.ts';
import { consent } from './consent.ts';
import { findProgram, type Program, programPackages } from './programs.ts';

/** What happens with the missing Debian packages of a run. */
export interface PackagePlan {
  readonly missing: readonly string[];
  /** Why they are not installed; undefined if they may be. */
  readonly obstacle: string | undefined;
}

/** Asks the user whether to install missing packages, unless this is impossible. */
export async function agreeTo(
  missing: readonly string[],
  say: Say,
  obstacle = obstacleToInstalling(),
): Promise<PackagePlan> {
  if (missing.length === 0) return { missing, obstacle: undefined };
  if (obstacle) return { missing, obstacle };
  say('packages', `missing: ${missing.join(' ')}`);
  const question = 'Install these Debian packages now, without starting their services?';
  return { missing, obstacle: (await consent(question)) ? undefined : 'declined' };
}

/**
 * Installs the packages of a plan, and reports it. Packages that remain missing are not an error
 * here: the dependency that needs them reports them.
 */
export async function installMissing(
  programs: readonly Program[],
  { missing, obstacle }: PackagePlan,
  say: Say,
): Promise<void> {
  if (missing.length === 0) return say('packages', 'all installed');
  if (obstacle) return say('packages', `leaving out:\n${adviceFor(missing, obstacle).join('\n')}`);
  const began = Date.now();
  await updateLists();
  const offered = await available(missing);
  try {
    if (offered.length > 0) await install(offered);
  } catch (error) {
    return say('packages', `apt-get failed:\n${outputOf(error)}`);
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  const lacking = missingPackages(programs);
  say('packages', `installed ${offered.length} in ${seconds} s`);
  if (lacking.length > 0) say('packages', `not available on this machine: ${lacking.join(' ')}`);
}

/** Returns what a plan leaves out of a run, for its summary. */
export function leftOutBy({ missing, obstacle }: PackagePlan): Outcome {
  const notes = obstacle ? [`left out: ${adviceFor(missing, obstacle).join('; ')}`] : [];
  return { ...noOutcome, notes };
}

/** Returns the Debian packages of programs that are missing. */
export function missingPackages(programs: readonly Program[]): string[] {
  const missing = programs.filter((program) => !findProgram(program));
  return [...new Set(missing.map((program) => programPackages[program]))];
}

function obstacleToInstalling(): string | undefined {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian or Ubuntu';
  if (process.getuid?.() !== 0) return 'it must be run as root';
  return undefined;
}

function adviceFor(missing: readonly string[], obstacle: string): string[] {
  return [
    `tests that need the Debian packages ${missing.join(' ')}`,
    `not installed, because ${obstacle}`,
    `on Debian and Ubuntu, run: sudo apt-get install --no-install-recommends ${missing.join(' ')}`,
  ];
}

function outputOf(error: unknown): string {
  const output = error instanceof Error && 'all' in error ? String(error.all) : String(error);
  return output.split('\n').slice(-15).join('\n');
}
