import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';

/**
 * Options of the Go compiler for every program of the tests: without optimization it takes half the
 * time, and it compiles Go's own packages once for all of them.
 */
export const compilerOptions = '-N -l -dwarf=false';

/** A program of the Go module proxy. */
export interface GoProgram {
  readonly name: string;
  /** Path of its package. */
  readonly path: string;
  readonly module: string;
  readonly version: string;
  readonly tags?: readonly string[];
  readonly linkFlags?: readonly string[];
  /** Folders of modules that are not in the proxy, by their path. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** What determines the replaced modules. */
  readonly identity?: string;
}

/**
 * Returns the path of a static program, for containers too; compiles it the first time.
 * @throws Unmet without Go
 */
export async function buildGoProgram(cache: string, program: GoProgram, say: Say): Promise<string> {
  const { name, path, module, version, tags = [], linkFlags = [], replaced = {} } = program;
  const { failed } = await execa('go', ['version'], { reject: false });
  if (failed) throw new Unmet(`${name} is compiled with go, which is not installed`);
  const { replaced: _folders, ...named } = program;
  const inputs = { ...named, compilerOptions };
  const folder = await cached(cache, name, inputs, async (target) => {
    say(name, 'compiled from the Go module proxy once, some minutes');
    await mkdir(target);
    const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };
    const go = (...args: string[]) => execa('go', args, { cwd: target, env });
    await go('mod', 'init', `landfall.test/${name}`);
    await go('mod', 'edit', '-require', `${module}@${version}`);
    for (const [other, source] of Object.entries(replaced)) {
      await go('mod', 'edit', '-replace', `${other}=${source}`);
    }
    const linked = ['-s', '-w', ...linkFlags].join(' ');
    const flags = ['-trimpath', '-gcflags', `all=${compilerOptions}`, '-ldflags', linked];
    await go('build', '-tags', tags.join(), ...flags, '-o', join(target, 'program'), path);
  });
  return join(folder, 'program');
}
