import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { archiveRoot } from '../debian/debian.ts';
import { compilerOptions } from '../go/build.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';
import { provideLlamaSource } from './llama-source.ts';
import { makeRoot } from './root-folder.ts';

/** The newest version that builds from the Go module proxy without a download of its own. */
const version = '0.17.4';
/** As for Go, compilers take half the time without optimization, and the models of the tests are tiny. */
const flags = { go: compilerOptions, c: '-O0 -g0 -w', link: '-s -w' };
/** The C++ headers that nearly every source file includes: compiled once, they save a quarter of the time. */
const headers = [
  ...['algorithm', 'array', 'atomic', 'chrono', 'cinttypes', 'cmath', 'condition_variable'],
  ...['cstdint', 'cstdio', 'cstdlib', 'cstring', 'fstream', 'functional', 'future', 'iomanip'],
  ...['iostream', 'limits', 'list', 'locale', 'map', 'memory', 'mutex', 'numeric', 'optional'],
  ...['queue', 'random', 'regex', 'set', 'sstream', 'stdexcept', 'string', 'thread', 'tuple'],
  ...['type_traits', 'unordered_map', 'unordered_set', 'utility', 'variant', 'vector'],
];
const packages = ['ca-certificates', 'libgomp1', 'libstdc++6'];

export const ollamaImage = [
  'ENTRYPOINT ["/bin/ollama"]',
  'CMD ["serve"]',
  'ENV OLLAMA_HOST=0.0.0.0:11434',
];

/**
 * Returns the archive of a root file system with Ollama; builds it from the Go module proxy the
 * first time, or takes the program in LANDFALL_OLLAMA.
 * @throws Unmet without Go
 */
export async function provideOllama(cache: string, say: Say): Promise<string> {
  const own = process.env.LANDFALL_OLLAMA;
  const inputs = { program: own ?? version, packages, flags, recipe: 2 };
  const folder = await cached(cache, 'ollama', inputs, async (target) => {
    await mkdir(target);
    const root = join(target, 'root');
    await makeRoot('trixie', packages, root);
    const program = join(root, 'usr/bin/ollama');
    if (own) await copyFile(own, program);
    else await build(cache, program, say);
    await chmod(program, 0o755);
    await archiveRoot(root, join(target, 'image.tar'));
    await rm(root, { recursive: true });
  });
  return join(folder, 'image.tar');
}

async function build(cache: string, program: string, say: Say): Promise<void> {
  const found = await execa('go', ['version'], { reject: false });
  if (found.exitCode !== 0) throw new Unmet('Go is missing; install Go 1.24 or newer');
  // Archives of Go modules leave out folders named vendor.
  const vendor = join(await provideLlamaSource(cache, say), 'vendor');
  say('ollama', `${version} built from the Go module proxy, once: takes 2 minutes`);
  const folder = await mkdtemp(join(tmpdir(), 'landfall-go-'));
  try {
    const header = join(folder, 'standard.h');
    await writeFile(header, headers.map((name) => `#include <${name}>\n`).join(''));
    const c = `${flags.c} -I${vendor}`;
    // With other options than those of the sources, the compiler would read the text again.
    const options = ['-std=c++17', '-fPIC', '-pthread', ...c.split(' '), '-x', 'c++-header'];
    await execa('g++', [...options, header, '-o', `${header}.gch`]);
    const env = {
      GOBIN: folder,
      GOFLAGS: '-trimpath',
      CGO_CFLAGS: c,
      CGO_CXXFLAGS: `${c} -include ${header}`,
    };
    const built = ['-gcflags', `all=${flags.go}`, '-ldflags', flags.link];
    await execa('go', ['install', ...built, `github.com/ollama/ollama@v${version}`], {
      env,
      stdin: 'ignore',
    });
    await copyFile(join(folder, 'ollama'), program);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
