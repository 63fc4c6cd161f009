import { existsSync } from 'node:fs';
import {
  mkdtempDisposable,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import {
  formatKeyId,
  type PublicKey,
  readPublicKey,
  type TrustedKeys,
} from '#contract/trust/keys.ts';
import { fileError } from '#files/file-error.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { sha256OfFile } from '../../base/files/sha256-of-file.ts';
import { architectureOf } from '../../base/platform.ts';
import { build } from '../../build.ts';
import { headOfBundle } from '../../bundle/archive/unverified-head.ts';
import type { BuildContext } from '../../bundle/build-context.ts';
import { buildOrigin } from '../../bundle/sign/build-origin.ts';
import type { SigningKey } from '../../bundle/sign/private-key.ts';
import { indexPage } from '../../deliver/hosting/index-page.ts';
import { buildPage } from '../../page/build-page.ts';
import type { PageFacts } from '../../page/facts.ts';
import { factVariables, packagedReleaseOf } from '../package/release-facts.ts';
import { writeChannelEntry } from './channel-entry.ts';
import type { ReleasePlan } from './check-release.ts';
import { collectBundles } from './collect-bundles.ts';
import { packPackage, unpackPackage } from './pack-package.ts';
import { verifyAsUser } from './verify-as-user.ts';
import { writeNotes } from './write-notes.ts';

interface ReleaseOptions {
  /** Folder of the checkout. */
  readonly root: string;
  readonly output: string;
  readonly kind: 'thin' | 'full';
  /** Maximum size of a file in bytes; a larger bundle is written in parts. */
  readonly maxPartSize: number | undefined;
  /** Only these bundles, without package, notes and checksums; for one of several jobs. */
  readonly only: readonly Architecture[] | undefined;
  /** Absolute paths. */
  readonly previous: readonly string[];
  readonly sourceDateEpoch: number | undefined;
  /** Environment for the package, see `factEnvironment`; empty: it describes no release. */
  readonly facts: NodeJS.ProcessEnv;
  readonly env: NodeJS.ProcessEnv;
}

/** The source of bundles: a key and registries, or a folder with bundles of other jobs. */
export type BundleSource =
  | { readonly signer: SigningKey; readonly context: BuildContext }
  | { readonly built: string };

/**
 * Makes a release: builds or collects its bundles, verifies them as a user does, packs the npm package,
 * and writes notes, the entry of the channel, an index page and checksums. The output folder appears only when it is complete.
 * @param keys the keys that the release announces
 * @throws LandfallError of `build`, `collectBundles`, `verifyAsUser`, `packPackage`, `writeNotes`;
 * FILE_EXISTS
 */
export async function makeRelease(
  plan: ReleasePlan,
  options: ReleaseOptions,
  source: BundleSource,
  keys: TrustedKeys,
): Promise<void> {
  const { root, only, previous, facts } = options;
  const { appliance } = plan;
  packagedReleaseOf(facts, appliance);
  await inNewFolder(options.output, async (folder) => {
    const bundles = await bundlesOf(plan, options, source, folder);
    const releaseKey = join(folder, 'release.pub');
    const key = await signingKey(releaseKey, keys);
    if (only) {
      const program = join(root, 'builder/bin/landfall.mjs');
      await verifyAsUser(program, bundles, keys, releaseKey);
    } else {
      const partSizes = await partSizesOf(bundles);
      const described = { ...facts, ...partFacts(facts, partSizes) };
      const packed = await packPackage(root, folder, appliance.version, described);
      await using unpacked = await mkdtempDisposable(join(tmpdir(), 'landfall-package-'));
      await verifyAsUser(await unpackPackage(packed, unpacked.path), bundles, keys, releaseKey);
      await writeNotes({ folder, plan, key, keys, previous });
      await writeChannelEntry(folder, options.kind, plan);
      await writePage(
        folder,
        appliance,
        { ...packagedReleaseOf(described, appliance), partSizes },
        keys,
      );
      await writeIndex(folder, `${appliance.name} ${appliance.version}`, key);
    }
  });
}

async function bundlesOf(
  { appliance, config }: ReleasePlan,
  { kind, only, sourceDateEpoch, maxPartSize, env }: ReleaseOptions,
  source: BundleSource,
  output: string,
): Promise<string[]> {
  const archs = only ?? appliance.platforms.map(architectureOf);
  if ('built' in source) return await collectBundles(source.built, output, appliance, archs);
  const origin = buildOrigin(env, (text) => source.context.reporter.note(text));
  const built = await build(
    {
      ...{ config, kind, archs, output, sourceDateEpoch, maxPartSize, origin },
      ...{ frozen: true, without: new Set(), forPublic: true },
    },
    source.signer,
    source.context,
  );
  return built.map(({ path }) => path);
}

/** Returns the key next to the bundles. @throws LandfallError BUNDLE_UNTRUSTED for an unknown one */
async function signingKey(path: string, keys: TrustedKeys): Promise<PublicKey> {
  const key = readPublicKey(await readFile(path, 'utf8'));
  if (keys.release.some(({ id }) => id === key.id)) return key;
  throw new LandfallError(
    'BUNDLE_UNTRUSTED',
    `release.pub is not a release key: ${formatKeyId(key.id)}`,
    {
      hint: 'Use the bundles of the jobs that sign this release.',
    },
  );
}

/** Returns the size of the parts of each bundle in parts, in bytes. @throws LandfallError FILE_MISSING, BUNDLE_… */
async function partSizesOf(bundles: readonly string[]): Promise<PartSizes> {
  const heads = await Promise.all(bundles.map(headOfBundle));
  return Object.fromEntries(
    heads.flatMap(({ release, partSize }) =>
      partSize === undefined ? [] : [[release.arch, partSize]],
    ),
  );
}

type PartSizes = Readonly<Partial<Record<Architecture, number>>>;

/**
 * Returns the variable that describes the parts of bundles to the users of a package; nothing if no
 * bundle is in parts, or if the package describes no release.
 * @param facts the environment of `factEnvironment`
 */
function partFacts(facts: NodeJS.ProcessEnv, partSizes: PartSizes): NodeJS.ProcessEnv {
  const sizes = Object.entries(partSizes).map(([arch, size]) => `${arch}=${size}`);
  if (Object.keys(facts).length === 0 || sizes.length === 0) return {};
  return { [factVariables.partSizes]: sizes.join(' ') };
}

/** Writes `configurator.html`, which knows the keys of this release, and its URLs if they are known. */
async function writePage(
  folder: string,
  { name, version, platforms }: ReleasePlan['appliance'],
  known: Partial<PageFacts>,
  { release, recovery }: TrustedKeys,
): Promise<void> {
  const names = (await readdir(folder)).filter((file) => /\.release\.json(?:\.sig)?$/.test(file));
  const contentOf = async (file: string) => [file, await readFile(join(folder, file), 'base64')];
  const files = await Promise.all(names.sort().map(contentOf));
  const page = await buildPage({
    ...{ product: name, version, architectures: platforms.map(architectureOf) },
    keys: { release: release.map(({ spki }) => spki), recovery: recovery?.spki ?? null },
    ...known,
    files: Object.fromEntries(files),
  });
  await writeFile(join(folder, 'configurator.html'), page);
}

/**
 * Creates a folder that appears only when it is complete.
 * @throws LandfallError FILE_EXISTS, FILE_ACCESS, DISK_FULL
 */
async function inNewFolder(
  output: string,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  if (existsSync(output)) {
    throw new LandfallError('FILE_EXISTS', `${output} already exists`, {
      hint: 'Remove it, or choose another folder with --output.',
    });
  }
  const partial = `${output}.partial`;
  try {
    // Left behind by a run that was killed.
    await rm(partial, { recursive: true, force: true });
    await makeFolder(dirname(output));
    await makeFolder(partial);
  } catch (error) {
    throw fileError(error, partial);
  }
  try {
    await write(partial);
    await rename(partial, output);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

const checksumsName = 'SHA256SUMS';
const pageName = 'index.html';

/**
 * Writes `index.html`, a page of all files with their meaning, and `SHA256SUMS` of all other files.
 * Each file is read once.
 */
async function writeIndex(folder: string, title: string, key: PublicKey): Promise<void> {
  const files = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    files.push({ name, size: (await stat(path)).size, sha256: await sha256OfFile(path) });
  }
  const intro = `<p>The manifests are signed with the key <code>${formatKeyId(key.id)}</code>. Compare this key id with a
second source, because this page cannot prove it.</p>
`;
  const page = join(folder, pageName);
  await writeFile(page, indexPage(title, [...files, { name: checksumsName }], intro));
  const lines = [...files, { name: pageName, sha256: await sha256OfFile(page) }]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  await writeFile(join(folder, checksumsName), lines.join(''));
}
