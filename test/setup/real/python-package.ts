import { mkdir } from 'node:fs/promises';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { cacheFolder } from '../workspace.ts';

/**
 * Installs a package from PyPI the first time.
 * @param flags of `pip install`, such as `--no-deps`
 * @returns a folder for PYTHONPATH
 */
export async function providePythonPackage(
  name: string,
  version: string,
  flags: readonly string[] = [],
): Promise<string> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true, mode: 0o700 });
  return await cached(cache, `python-${name}`, { name, version }, async (target) => {
    const pip = ['--quiet', '--disable-pip-version-check', '--retries', '10', ...flags];
    await execa('pip3', ['install', ...pip, '--target', target, `${name}==${version}`]);
  });
}
