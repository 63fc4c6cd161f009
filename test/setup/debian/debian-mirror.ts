import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { Unmet } from '../unmet.ts';
import { type AptSource, parseSources } from './apt-sources.ts';

/** Mirror of Debian packages of any suite, with the settings to reach it. */
export interface DebianMirror {
  readonly url: string;
  /** Settings of apt: its proxy, its certificates. */
  readonly settings: string;
}

/**
 * Finds the mirror in the machine's apt sources, or uses the one in LANDFALL_TEST_DEBIAN_MIRROR.
 * @throws Unmet on machines other than Debian that set no mirror.
 */
export async function findDebianMirror(): Promise<DebianMirror> {
  const url = process.env.LANDFALL_TEST_DEBIAN_MIRROR || (await mirrorOfThisMachine());
  return { url, settings: await aptSettings() };
}

async function mirrorOfThisMachine(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const codename = /^VERSION_CODENAME=(\S+)/m.exec(release)?.[1];
  const sources = /^ID=debian$/m.test(release) ? await aptSources() : [];
  const own = sources.find(
    ({ suites, components }) =>
      suites.some((suite) => suite === codename || suite === 'stable' || suite === 'oldstable') &&
      components.includes('main'),
  );
  if (own) return own.url;
  throw new Unmet(
    'this machine has no Debian mirror in its apt sources; set LANDFALL_TEST_DEBIAN_MIRROR',
  );
}

async function aptSources(): Promise<AptSource[]> {
  const folder = '/etc/apt/sources.list.d';
  const names = await readdir(folder).catch(() => []);
  const files = ['/etc/apt/sources.list', ...names.sort().map((name) => join(folder, name))];
  const parsed = await Promise.all(
    files.map(async (file) => parseSources(file, await readFile(file, 'utf8').catch(() => ''))),
  );
  return parsed.flat();
}

/** The network settings of this machine's apt also apply to the tests. */
async function aptSettings(): Promise<string> {
  const { stdout } = await execa('apt-config', ['dump', '--format', '%f "%v";%n']);
  const wanted = /^Acquire::(https?::|Check-|Retries)\S* "[^"]+";$/;
  return stdout
    .split('\n')
    .filter((line) => wanted.test(line))
    .map((line) => `${line}\n`)
    .join('');
}
