import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../packages/programs.ts';
import type { DebianMirror } from './debian-mirror.ts';

export interface Bootstrap {
  /**
   * `essential`: installed and configured; `apt`: plus apt. `extract`: only unpacked, without
   * running scripts.
   */
  readonly variant: 'essential' | 'apt' | 'extract';
  readonly suite: 'trixie' | 'bookworm';
  readonly architecture?: 'amd64' | 'arm64';
  readonly packages: readonly string[];
  /** A new folder, or `-` for a tar on standard output. */
  readonly target: string;
  /** Shell commands that complete the root folder, which is $1. */
  readonly hooks?: readonly string[];
}

/** Upper bound of all mtimes, so that the same packages produce the same bytes. */
export const epoch = 1_767_225_600;

/**
 * Passes the command line of mmdebstrap to `run`, and cleans up afterwards.
 * @throws Unmet if mmdebstrap is missing, and errors of `run`.
 */
export async function withMmdebstrap<T>(
  bootstrap: Bootstrap,
  mirror: DebianMirror,
  run: (command: string, args: readonly string[], env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const command = programPath('mmdebstrap');
  const folder = await mkdtemp(join(tmpdir(), 'landfall-apt-'));
  try {
    // In a file: a proxy URL may contain a password, which `ps` would show.
    const settings = join(folder, 'apt.conf');
    const patient = `${mirror.settings}Acquire::Retries "5";\n`;
    await writeFile(settings, patient, { mode: 0o600 });
    const args = [
      ...['--quiet', `--variant=${bootstrap.variant}`, `--aptopt=${settings}`],
      // mmdebstrap leaves these settings of this machine behind.
      '--customize-hook=rm -f "$1/etc/apt/apt.conf.d/99mmdebstrap"',
      ...(bootstrap.hooks ?? []).map((hook) => `--customize-hook=${hook}`),
      ...(bootstrap.architecture ? [`--architectures=${bootstrap.architecture}`] : []),
      `--include=${bootstrap.packages.join(',')}`,
      ...[bootstrap.suite, bootstrap.target, `deb ${mirror.url} ${bootstrap.suite} main`],
    ];
    return await run(command, args, { SOURCE_DATE_EPOCH: `${epoch}`, LC_ALL: 'C.UTF-8' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
