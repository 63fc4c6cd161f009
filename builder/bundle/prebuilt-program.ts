import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

/** A program of Landfall, bundled into one file. */
export interface BundledProgram {
  readonly bytes: Buffer;
  /** The npm packages in it. */
  readonly packages: readonly BundledPackage[];
}

/** Names of the programs in `builder/prebuilt`, by their entry points. */
export const prebuiltNames = {
  'appliance/main.ts': 'landfall',
  'appliance/relay/node/main.ts': 'relay',
} as const;

type Packages = Readonly<Record<string, readonly BundledPackage[]>>;

/**
 * Returns a program as the npm package carries it: the same bytes as a checkout of that version makes.
 * Undefined in a checkout, which has the sources.
 */
export async function prebuiltProgram(
  root: string,
  entryPoint: string,
): Promise<BundledProgram | undefined> {
  if (existsSync(join(root, entryPoint))) return undefined;
  const name = Object.entries(prebuiltNames).find(([path]) => path === entryPoint)?.[1];
  if (!name) throw new Error(`the package has no program of ${entryPoint}`);
  const folder = join(root, 'builder/prebuilt');
  const [bytes, packages] = await Promise.all([
    readFile(join(folder, `${name}.mjs`)),
    readFile(join(folder, 'packages.json'), 'utf8'),
  ]);
  return { bytes, packages: (JSON.parse(packages) as Packages)[name] ?? [] };
}
