import { headMembers, manifestName, signatureName } from '#contract/bundle/head.ts';
import { releaseName } from '#contract/bundle/release-name.ts';
import { channelFile, channelSignatureFile } from '#contract/channel/channel.ts';
import { verifyChannelFile } from '#contract/channel/newest.ts';
import { withdrawalOf } from '#contract/channel/offer.ts';
import { LandfallError } from '#contract/errors.ts';
import { decodeUtf8, fromBase64 } from '#contract/text/bytes.ts';
import { readPublicKey, type TrustedKeys, trustedKeysOf } from '#contract/trust/keys.ts';
import { type PinnedRelease, pinRelease } from '../../bundle/released/pinned-release.ts';
import type { PageFacts } from '../facts.ts';
import { attempt, type Outcome } from './outcome.ts';

/** A file that the user chose, or that the page loaded from its folder. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Larger than every file of a release that the page reads, in bytes. */
export const maxFileBytes = Math.max(...headMembers.map(({ maxBytes }) => maxBytes));

/** The verified release, and the keys that it was verified with. */
export interface VerifiedRelease {
  readonly releases: readonly PinnedRelease[];
  readonly trusted: TrustedKeys;
  /** Why its channel withdrew it; undefined if it did not, or if there is no channel. */
  readonly withdrawn?: string | undefined;
}

/** Returns whether a file is one of those that {@link verifyRelease} reads. */
export function isReleaseFile(name: string): boolean {
  return [manifestName, signatureName, channelFile, channelSignatureFile, '.pub'].some((end) =>
    name.endsWith(end),
  );
}

/**
 * Verifies every `release.json` among files with its signature. The keys are those of the page, or else of the
 * `.pub` files.
 * @returns undefined without a `release.json`
 */
export function verifyRelease(
  files: readonly GivenFile[],
  facts: PageFacts | undefined,
  now: Date,
): Outcome<VerifiedRelease> | undefined {
  const manifests = files.filter(({ name }) => name.endsWith(manifestName));
  if (manifests.length === 0) return undefined;
  return attempt(() => {
    const trusted = facts ? trustedKeysOf(facts.keys) : keysIn(files);
    const policy = { keys: trusted, now, product: facts?.product };
    const releases = manifests.map(({ name, bytes }) => {
      const signature = files.find((file) => file.name === `${name}.sig`);
      if (!signature) throw missing(`${name}.sig`);
      const pinned = pinRelease(bytes, signature.bytes, policy);
      const isOwn = pinned.release.version === facts?.version;
      return { ...pinned, partSize: isOwn ? facts?.partSizes?.[pinned.release.arch] : undefined };
    });
    return { releases, trusted, withdrawn: withdrawalIn(files, releases, trusted) };
  });
}

/**
 * Returns why the channel among the files withdrew the release. Who can replace the channel can also remove it,
 * so one that is not trusted counts as none.
 */
function withdrawalIn(
  files: readonly GivenFile[],
  [first]: readonly PinnedRelease[],
  trusted: TrustedKeys,
): string | undefined {
  const contentOf = (end: string) => files.find(({ name }) => name.endsWith(end))?.bytes;
  const [bytes, signature] = [contentOf(channelFile), contentOf(channelSignatureFile)];
  if (!bytes || !signature || !first) return undefined;
  const { value } = attempt(() =>
    verifyChannelFile({ bytes, signature }, trusted, first.release.product),
  );
  return value && withdrawalOf(value.channel, first.release);
}

function keysIn(files: readonly GivenFile[]): TrustedKeys {
  const keys = files.filter(({ name }) => name.endsWith('.pub'));
  if (keys.length === 0) throw missing('release.pub');
  const [recovery, release] = [true, false].map((isRecovery) =>
    keys
      .filter(({ name }) => name.endsWith('recovery.pub') === isRecovery)
      .map(({ bytes }) => readPublicKey(decodeUtf8(bytes))),
  );
  return { release: release ?? [], recovery: recovery?.[0] };
}

function missing(name: string): LandfallError {
  return new LandfallError('FILE_MISSING', `${name} is missing`, {
    hint: {
      en: 'Add it: it was published beside release.json.',
      zh: '请加上它：它与 release.json 发布在同一处。',
    },
  });
}

/** Returns the files of the release in the page; none if it was built before its release. */
export function filesIn(facts: PageFacts | undefined): GivenFile[] {
  return Object.entries(facts?.files ?? {}).flatMap(([name, content]) => {
    const bytes = fromBase64(content);
    return bytes ? [{ name, bytes }] : [];
  });
}

/**
 * Loads the files of the release from the folder of the page. A file that is not there is left out.
 * @param page URL of the page
 */
export async function loadBeside(page: string, facts: PageFacts): Promise<GivenFile[]> {
  const { product, version, architectures } = facts;
  const names = architectures.flatMap((arch) =>
    [manifestName, signatureName].map((end) => `${releaseName(product, version, arch)}.${end}`),
  );
  return await loadFrom(new URL('.', page), names);
}

/**
 * Loads the channel of the release, if it has one on the site of the page: code hosts let no page of another
 * site read their files.
 * @param page URL of the page
 */
export async function loadChannel(
  page: string,
  { channels = [] }: PageFacts,
): Promise<GivenFile[]> {
  const { origin } = new URL(page);
  const folder = channels.find((url) => new URL(url).origin === origin);
  return folder === undefined
    ? []
    : await loadFrom(new URL(`${folder.replace(/\/$/, '')}/`), [channelFile, channelSignatureFile]);
}

/** Loads files from a folder. A file that is not there is left out. */
async function loadFrom(folder: URL, names: readonly string[]): Promise<GivenFile[]> {
  const loaded = await Promise.all(
    names.map(async (name) => {
      const response = await fetch(new URL(name, folder)).catch(() => undefined);
      if (!response?.ok) return [];
      return [{ name, bytes: new Uint8Array(await response.arrayBuffer()) }];
    }),
  );
  return loaded.flat();
}
