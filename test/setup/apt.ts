import { execa } from 'execa';
import { withoutStartingServices } from './service-policy.ts';

const environment = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
/** Waits for another apt, in seconds: fresh machines update themselves in the background. */
const waitForLock = 'DPkg::Lock::Timeout=300';
const retries = 'Acquire::Retries=5';

/** Brings the package lists up to date. A source that fails is apt's to judge when installing. */
export async function updateLists(): Promise<void> {
  await execa('apt-get', ['update', '-q', '-o', waitForLock, '-o', retries], {
    env: environment,
    reject: false,
  });
}

/** Those of some packages that this machine's sources can give. */
export async function available(packages: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    packages.map(async (name) => {
      const { stdout } = await execa('apt-cache', ['policy', name], { env: environment });
      return /^ {2}Candidate: (?!\(none\))/m.test(stdout);
    }),
  );
  return packages.filter((_, index) => answers[index]);
}

/**
 * Installs packages without what they only recommend and without starting their services.
 * @throws the error of apt-get with its output.
 */
export async function install(packages: readonly string[]): Promise<void> {
  const options = ['-y', '-q', '--no-install-recommends', '-o', waitForLock, '-o', retries];
  await withoutStartingServices(() =>
    execa('apt-get', ['install', ...options, ...packages], {
      env: environment,
      stdin: 'ignore',
      all: true,
    }),
  );
}
