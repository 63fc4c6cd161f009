import { execa } from 'execa';
import { withoutStartingServices } from './service-policy.ts';

const environment = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
/** Seconds to wait for another apt: fresh machines update themselves in the background. */
const waitForLock = 'DPkg::Lock::Timeout=300';
const retries = 'Acquire::Retries=5';

/**
 * Updates the package lists. Failing sources are ignored here; apt reports them on installation.
 */
export async function updateLists(): Promise<void> {
  await execa('apt-get', ['update', '-q', '-o', waitForLock, '-o', retries], {
    env: environment,
    reject: false,
  });
}

/** Returns the packages that this machine's sources provide. */
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
 * Installs packages without recommended ones and without starting services.
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
