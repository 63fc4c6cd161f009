import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { BuilderRig } from '../integration/builder/builder-rig.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the appliance of this checkout for one architecture, with a new key. The lock is resolved again,
 * because the committed one may have unresolved entries. Returns the folder of the release.
 */
export async function buildRelease(arch: Architecture, folder: string): Promise<string> {
  const rig = new BuilderRig(join(folder, 'build'), undefined);
  await mkdir(rig.folder);
  await cp(join(project, 'compose'), join(rig.folder, 'stack'), { recursive: true });
  const appliance = parse(await readFile(join(project, 'builder/inputs/appliance.yaml'), 'utf8'));
  const only = { platforms: [`linux/${arch}`], compose: 'stack' };
  await writeFile(join(rig.folder, 'appliance.yaml'), stringify({ ...appliance, ...only }));
  await rig.landfall(['keygen', '--output', 'release']);
  await rig.build({ output: 'dist', kind: 'thin' });
  return join(rig.folder, 'dist');
}
