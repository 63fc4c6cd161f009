import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type License, systems } from '../../inputs/licenses/license.ts';
import type { BundledPackage } from '../archive/bundled-program.ts';
import type { Work } from './works.ts';

const textFolder = fileURLToPath(new URL('./texts/', import.meta.url));
const rule = '-'.repeat(80);

interface NoticeInputs {
  readonly product: string;
  readonly version: string;
  readonly works: readonly Work[];
  /** npm packages inside Landfall's programs. */
  readonly packages: readonly BundledPackage[];
}

/**
 * Returns the file NOTICE of a bundle: the works in it, their licenses, and where their source is.
 * The output is reproducible.
 */
export async function noticeOf(inputs: NoticeInputs): Promise<Buffer> {
  const { product, version, works, packages } = inputs;
  const carried = works.filter((work) => work.carried);
  const pulled = works.filter((work) => !work.carried);
  const texts = new Set(['apache-2.0']);
  for (const { license } of carried) {
    for (const text of license?.texts ?? []) texts.add(text);
    // Every Linux distribution has programs with this license.
    if (license?.systems) texts.add('gpl-2.0');
  }
  const sections = [
    `NOTICE of ${product} ${version}\n\nLandfall and its programs: Apache-2.0.\nThis file names the third-party works of the release.`,
    `IN THIS BUNDLE\n\n${carried.map(entryOf).join('\n\n')}`,
    ...(pulled.length > 0
      ? [`NOT IN THIS BUNDLE: THE SERVER DOWNLOADS THEM\n\n${pulled.map(entryOf).join('\n\n')}`]
      : []),
    ...sourceOffer(carried),
    ...(await Promise.all([...texts].sort().map(textOf))),
    ...uniquePackages(packages).map(packageEntry),
  ];
  return Buffer.from(`${sections.join(`\n\n${rule}\n\n`)}\n`);
}

function entryOf({ name, origin, version, license, source }: Work): string {
  if (!license) return `${name}: ${origin}\n  License: not known to Landfall; ask its publisher.`;
  return [
    `${name}: ${license.product}${version === undefined ? '' : ` ${version}`} (${origin})`,
    `  License: ${license.spdx}`,
    ...(license.copyright === undefined ? [] : [`  ${license.copyright}`]),
    `  Source: ${source}`,
    `  ${license.condition}`,
  ].join('\n');
}

/** The GPL requires an offer (version 2, section 3b) unless the source is in the bundle. */
function sourceOffer(carried: readonly Work[]): string[] {
  const licenses = carried.flatMap(({ license }) => license ?? []);
  const used = [...new Set(licenses.flatMap((license: License) => license.systems ?? []))].sort();
  const bySource = licenses.filter(({ redistribution }) => redistribution === 'source');
  if (used.length === 0 && bySource.length === 0) return [];
  const places = [
    ...bySource.map(({ product, repository }) => `  ${product}: ${repository}`),
    ...used.map((system) => `  packages of ${system}: ${systems[system]}`),
  ];
  return [
    `SOURCE CODE

Some programs in this bundle have the GNU General Public License, version 2 or
later, or the GNU Lesser General Public License: ${[...bySource.map(({ product }) => product), 'packages of the Linux distributions in the images'].join(', ')}.

The publisher of this bundle, who signed it, offers to anyone who has a copy the
complete source code of these programs, for three years from the time in
release.json and for no more than the cost of the transfer. Ask where you got
the bundle. The same source is available here:

${places.join('\n')}`,
  ];
}

async function textOf(name: string): Promise<string> {
  const text = await readFile(`${textFolder}${name}.txt`, 'utf8');
  return `TEXT OF ${name.toUpperCase()}\n\n${text.trimEnd()}`;
}

function uniquePackages(packages: readonly BundledPackage[]): BundledPackage[] {
  const byName = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function packageEntry({ name, version, license, licenseText }: BundledPackage): string {
  const title = `npm package ${name} ${version} (${license ?? 'see below'}), in Landfall's programs`;
  return licenseText === undefined ? title : `${title}\n\n${licenseText.trimEnd()}`;
}
