import { existsSync } from 'node:fs';
import type { Say } from '../say.ts';
import { available, install, updateLists } from './apt.ts';
import { consent } from './consent.ts';
import { findProgram, type Program, programPackages } from './programs.ts';

/**
 * Installs missing Debian packages of programs if allowed, and reports it. Packages that remain
 * missing are not an error here: the dependency that needs them reports them.
 */
export async function installMissing(programs: readonly Program[], say: Say): Promise<void> {
  const missing = missingPackages(programs);
  if (missing.length === 0) return say('packages', 'all installed');
  const obstacle = obstacleToInstalling();
  if (obstacle) return say('packages', adviceFor(missing, obstacle));
  say('packages', `missing: ${missing.join(' ')}`);
  if (!(await consent('Install these Debian packages now, without starting their services?'))) {
    return say('packages', adviceFor(missing, 'declined'));
  }
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

function missingPackages(programs: readonly Program[]): string[] {
  const missing = programs.filter((program) => !findProgram(program));
  return [...new Set(missing.map((program) => programPackages[program]))];
}

function obstacleToInstalling(): string | undefined {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian or Ubuntu';
  if (process.getuid?.() !== 0) return 'it must be run as root';
  return undefined;
}

function adviceFor(missing: readonly string[], obstacle: string): string {
  const command = `sudo apt-get install --no-install-recommends ${missing.join(' ')}`;
  return `missing: ${missing.join(' ')}\nnot installed, because ${obstacle}; on Debian and Ubuntu:\n${command}`;
}

function outputOf(error: unknown): string {
  const output = error instanceof Error && 'all' in error ? String(error.all) : String(error);
  return output.split('\n').slice(-15).join('\n');
}
