import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isMissing } from '#files/open-regular.ts';

/** An npm package whose code is bundled into a program of Landfall. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As in its package.json, usually an SPDX expression. */
  readonly license?: string | undefined;
  /** SHA-512 of its npm tarball, 128 hex digits. */
  readonly sha512?: string | undefined;
  /** Its license files; copies must contain them. */
  readonly licenseText?: string | undefined;
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional().catch(undefined),
});
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
});

/**
 * Returns the packages that the files belong to, sorted and without duplicates.
 * @param files paths relative to `root`, with slashes
 * @param root folder with `node_modules` and, in a checkout, `package-lock.json`
 */
export async function packagesOf(
  files: readonly string[],
  root: string,
): Promise<BundledPackage[]> {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
  const integrities = await integritiesOf(root);
  const packages = await Promise.all(
    [...folders].map(async (folder) => {
      const text = await readFile(join(root, folder, 'package.json'), 'utf8');
      const { name, version, license } = manifestSchema.parse(JSON.parse(text));
      const texts = await licenseFiles(join(root, folder));
      return {
        name,
        version,
        license,
        sha512: sha512Of(integrities.get(folder)),
        licenseText: texts.length > 0 ? texts.join('\n\n') : undefined,
      };
    }),
  );
  return packages.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const fileName = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Returns the texts of the license files in the folder of a package, sorted by name. */
async function licenseFiles(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => fileName.test(file)).sort();
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
}

function keyOf({ name, version }: BundledPackage): string {
  return `${name}@${version}`;
}

/** Returns `node_modules/undici` for `node_modules/undici/lib/api/index.js`: the innermost package. */
function folderOf(file: string): string | undefined {
  return /^(.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

/** Returns the integrity of each folder in package-lock.json; empty in an installed package. */
async function integritiesOf(root: string): Promise<Map<string, string>> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{"packages":{}}';
    throw error;
  });
  const { packages } = lockSchema.parse(JSON.parse(text));
  return new Map(
    Object.entries(packages).map(([folder, { integrity = '' }]) => [folder, integrity]),
  );
}

/** Returns the SHA-512 in hex (Subresource Integrity, section 3.5: algorithm and base64). */
function sha512Of(integrity = ''): string | undefined {
  const encoded = /(?:^| )sha512-([A-Za-z0-9+/]{86}==)/.exec(integrity)?.[1];
  return encoded && Buffer.from(encoded, 'base64').toString('hex');
}

/** Returns the license texts of packages, which their terms require in copies. */
export function licensesOf(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, licenseText }) =>
    [`${name} ${version} (${license ?? 'see below'})`, licenseText ?? ''].join('\n\n').trimEnd(),
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Packages inside of the files of this folder, with their licenses.${rule}${texts.join(rule)}\n`;
}

/** A program of Landfall, bundled into one file. */
export interface BundledProgram {
  readonly bytes: Buffer;
  /** The npm packages in it. */
  readonly packages: readonly BundledPackage[];
}

/** Names of the programs in `builder/prebuilt`, by their entry points. */
export const prebuiltNames = {
  'appliance/commands/main.ts': 'landfall',
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
