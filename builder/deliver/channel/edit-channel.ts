import { basename, join, resolve } from 'node:path';
import semver from 'semver';
import { withoutPart } from '#contract/bundle/release-name.ts';
import type { Channel, ChannelBundle, ChannelRelease } from '#contract/channel/channel.ts';
import { LandfallError } from '#contract/errors.ts';
import { headOfBundle } from '../../bundle/archive/unverified-head.ts';
import { isBundle, releaseFiles } from '../hosting/release-files.ts';
import { instant } from './channel-folder.ts';

/** What a maintainer says about a release. */
export interface ReleaseNews {
  /** Plain text or Markdown. */
  readonly notes: string;
  readonly security: ChannelRelease['security'];
}

/**
 * Returns a channel with the bundles of a release folder. Another kind of bundle of a listed version is
 * added to it, and empty notes do not replace those that it has.
 * @param channel undefined: a new one
 * @param name of the channel
 * @param source the output folder of a build
 * @param folder its name on the web
 * @throws LandfallError FILE_MISSING, BUNDLE_…; USAGE for a release of another product
 */
export async function addRelease(
  channel: Channel | undefined,
  name: string,
  source: string,
  news: ReleaseNews,
  folder: string = basename(resolve(source)),
): Promise<Channel> {
  const entries = await entriesOf(source, folder, news);
  const [first] = entries;
  if (!first) throw new LandfallError('FILE_MISSING', `${source} has no bundle`);
  return entries.reduce(addEntry, channel ?? newChannel(first.product, name));
}

/**
 * Returns a channel with the releases of another, such as of one that a job prepared.
 * @param channel undefined: a new one
 * @param name of the channel
 * @throws LandfallError USAGE for a channel of another product
 */
export function addChannel(
  channel: Channel | undefined,
  name: string,
  { product, releases }: Channel,
  news: ReleaseNews,
): Channel {
  const entries = releases.map((release) => ({ product, release: withNews(release, news) }));
  return entries.reduce(addEntry, channel ?? newChannel(product, name));
}

/** A release with the product that a channel must have. */
interface Entry {
  readonly product: string;
  readonly release: ChannelRelease;
}

/** @throws LandfallError USAGE for a release of another product */
function addEntry(channel: Channel, { product, release }: Entry): Channel {
  if (product === channel.product) return withRelease(channel, release);
  const found = `the release is of ${product}, and the channel of ${channel.product}`;
  throw new LandfallError('USAGE', found, {
    hint: 'Use another folder for the channel of another product.',
  });
}

/**
 * Returns a channel in which a release is withdrawn: it is offered to no server, and the
 * reason is shown on those that run it.
 * @throws LandfallError USAGE for a version that the channel does not have
 */
export function withdrawRelease(channel: Channel, version: string, reason: string): Channel {
  expectRelease(channel, version);
  const releases = channel.releases.map((release) =>
    release.version === version ? { ...release, withdrawn: { reason } } : release,
  );
  return { ...channel, releases };
}

/**
 * Returns a channel without a release, so that an old one makes room.
 * @throws LandfallError USAGE for a version that the channel does not have
 */
export function removeRelease(channel: Channel, version: string): Channel {
  expectRelease(channel, version);
  const releases = channel.releases.filter((release) => release.version !== version);
  return { ...channel, releases };
}

function expectRelease({ releases }: Channel, version: string): void {
  if (releases.some((release) => release.version === version)) return;
  throw new LandfallError('USAGE', `the channel has no release ${version}`, {
    hint: `It has: ${releases.map((release) => release.version).join(', ') || 'none'}.`,
  });
}

function newChannel(product: string, channel: string): Channel {
  return {
    type: 'landfall-channel',
    schema: 1,
    product,
    channel,
    serial: 0,
    // Replaced when the channel is signed.
    created: '1970-01-01T00:00:00Z',
    expires: '1970-01-02T00:00:00Z',
    trust: 0,
    releases: [],
  };
}

/** Returns an entry for each bundle of a folder. */
async function entriesOf(
  source: string,
  folder: string,
  { notes, security }: ReleaseNews,
): Promise<Entry[]> {
  const bundles = (await releaseFiles(source)).filter(({ name }) => isBundle(name));
  const paths = new Map(bundles.map(({ name, path }) => [withoutPart(name), path]));
  return await Promise.all(
    [...paths].map(async ([name, path]) => {
      const { release, manifestSha256, size, partSize } = await headOfBundle(path);
      const { product, version, dataEpoch, updatesFrom, arch, kind } = release;
      const bundle: ChannelBundle = {
        manifest: manifestSha256,
        size,
        part: partSize ?? null,
        urls: [join(folder, name)],
      };
      const created = instant(new Date(release.created));
      const facts = { version, created, dataEpoch, updatesFrom, security, notes, withdrawn: null };
      return { product, release: { ...facts, bundles: { [arch]: { [kind]: bundle } } } };
    }),
  );
}

function withRelease(channel: Channel, release: ChannelRelease): Channel {
  const others = channel.releases.filter(({ version }) => version !== release.version);
  const known = channel.releases.find(({ version }) => version === release.version);
  const merged = known ? mergedRelease(known, release) : release;
  const releases = [...others, merged].sort((one, other) =>
    semver.rcompare(one.version, other.version),
  );
  return { ...channel, releases };
}

function mergedRelease(known: ChannelRelease, added: ChannelRelease): ChannelRelease {
  const bundles = mergedBundles(known, added);
  const { notes, security, withdrawn } = known;
  return { ...withNews({ ...added, notes, security }, added), withdrawn, bundles };
}

/** Returns a release with notes and a security problem, unless there are none. */
function withNews(release: ChannelRelease, { notes, security }: ReleaseNews): ChannelRelease {
  return {
    ...release,
    notes: notes || release.notes,
    security: security === 'none' ? release.security : security,
  };
}

function mergedBundles(
  { bundles: known }: ChannelRelease,
  { bundles: added }: ChannelRelease,
): ChannelRelease['bundles'] {
  const of = (arch: 'amd64' | 'arm64') => {
    const { thin, full } = { ...known[arch], ...added[arch] };
    if (!thin && !full) return {};
    return { [arch]: { ...(thin && { thin }), ...(full && { full }) } };
  };
  return { ...of('amd64'), ...of('arm64') };
}
