import { mkdir } from 'node:fs/promises';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { cacheFolder } from '../workspace.ts';

/**
 * Installs a package from PyPI the first time.
 * @returns a folder for PYTHONPATH
 */
export async function providePythonPackage(name: string, version: string): Promise<string> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true, mode: 0o700 });
  return await cached(cache, `python-${name}`, { name, version }, async (target) => {
    const pip = ['--quiet', '--disable-pip-version-check', '--retries', '10', '--target', target];
    await execa('pip3', ['install', ...pip, `${name}==${version}`]);
  });
}
