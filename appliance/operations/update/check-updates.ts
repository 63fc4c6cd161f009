import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { headMembers } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { isSameImage, updateCost } from '#contract/bundle/update-cost.ts';
import type { ChannelBundle } from '#contract/channel/channel.ts';
import { newestChannel, type VerifiedChannel } from '#contract/channel/newest.ts';
import { offerFor, withdrawalOf } from '#contract/channel/offer.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { TrustAnchor } from '#contract/trust/anchor.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { applyRotation } from '#contract/trust/rotation.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../server/host/download/download.ts';
import type { Host } from '../../server/host/host.ts';
import { ensureTrustAnchor, writeTrustAnchor } from '../../server/host/trust-anchor.ts';
import { Journal } from '../../server/stage/journal.ts';
import type { Context } from '../../server/stage/stage.ts';
import { type ReleaseChanges, storedUpdates, type UpdateState } from './last-check.ts';
import { folderUrl, Mirror, type NextRelease } from './mirror.ts';

/** A channel and the mirror that has it. */
interface Found extends VerifiedChannel {
  readonly mirror: Mirror;
}

type Failure = UpdateState['failures'][number];
type UpdateContext = Pick<Context, 'host' | 'site' | 'release'>;

/**
 * Asks every channel of the site for a newer release: follows rotations of the keys, verifies the
 * channels, takes the newest one, and records what it offers. Installs nothing.
 * @returns the new state, which is stored
 * @throws LandfallError STATE_INVALID for a damaged trust.json
 */
export async function checkUpdates(
  { host, site, release }: UpdateContext,
  now = new Date(),
): Promise<UpdateState> {
  const before = await storedUpdates.read(host);
  const client = new HttpClient(networkOptions(site));
  try {
    const { found, failures, anchor } = await readMirrors({ host, site, release }, client);
    const newest = newestChannel(found);
    const state: UpdateState = {
      schema: 1,
      at: now.toISOString(),
      installed: release.version,
      ...(await offered({ host, site, release }, newest, anchor)),
      failures,
      announced: before?.announced ?? [],
    };
    await storedUpdates.write(host, state);
    return state;
  } finally {
    await client.close();
  }
}

/** Reads every mirror. One that fails does not keep the others from being read. */
async function readMirrors({ host, site, release }: UpdateContext, client: HttpClient) {
  const { product } = release;
  const mirrors = site.updates.channels.map((url) => new Mirror(client, url));
  const failures: Failure[] = [];
  const usable: Mirror[] = [];
  for (const mirror of mirrors) {
    try {
      await followRotations(host, mirror, product);
      usable.push(mirror);
    } catch (error) {
      failures.push(failureOf(mirror, error));
    }
  }
  // Read again: a mirror may have had a rotation before the one that was refused.
  const anchor = await ensureTrustAnchor(host);
  const found: Found[] = [];
  for (const mirror of usable) {
    try {
      found.push({ mirror, ...(await mirror.channel(anchor, product)) });
    } catch (error) {
      failures.push(failureOf(mirror, error));
    }
  }
  return { found, failures, anchor };
}

function failureOf({ folder }: Mirror, error: unknown): Failure {
  const mirror = folder.href;
  if (!(error instanceof LandfallError)) {
    // A mirror that makes the program fail must not keep updates of other mirrors away.
    const message = plainLine(`the program failed: ${error}`, 1000);
    return { mirror, code: 'CHANNEL_INVALID', message };
  }
  const details = error.problems.map(({ message }) => `; ${message}`).join('');
  const message = plainLine(`${error.message}${details}`, 1000);
  return { mirror, code: error.code, message };
}

/** Returns what the newest channel offers, and records its serial. */
async function offered(
  { host, site, release }: UpdateContext,
  newest: Found | undefined,
  anchor: TrustAnchor,
): Promise<Pick<UpdateState, 'channel' | 'offer' | 'withdrawn'>> {
  if (!newest) return { channel: null, offer: null, withdrawn: null };
  const { channel, signer, mirror } = newest;
  if (channel.serial > anchor.channelSerial) {
    await writeTrustAnchor(host, { ...anchor, channelSerial: channel.serial });
  }
  const { channel: name, serial, created, expires, trust } = channel;
  return {
    channel: { name, serial, created, expires, key: signer.id, trust, mirror: mirror.folder.href },
    offer: await describeOffer(newest, { host, release, site }, anchor),
    withdrawn: withdrawalOf(channel, release) ?? null,
  };
}

async function describeOffer(
  { channel, mirror }: Found,
  { host, release, site }: UpdateContext,
  { floor }: TrustAnchor,
): Promise<NonNullable<UpdateState['offer']>> {
  const offer = offerFor(channel, { ...release, floor });
  if (offer.kind !== 'update') return offer;
  const { version, created, notes } = offer.release;
  const { manifest, size, part, urls } = offer.bundle;
  const { kind, security, newest } = offer;
  const changes = await changesOf(mirror, offer.bundle, release, site);
  const pause = await lastPause(host);
  return {
    ...{ kind, version, created, notes, security, newest },
    ...{ manifest, size, part, urls, changes, pause },
  };
}

/** Returns how long the stack took when its containers changed the last time, in milliseconds. */
async function lastPause(host: Host): Promise<number | null> {
  const entries = await new Journal(host).entries();
  const last = entries.findLast(({ stage, event }) => stage === 'stack' && event === 'applied');
  return last?.took ?? null;
}

/** Rotations that are applied at once. A mirror could serve them without end. */
const maxRotations = 100;

/**
 * Applies the rotations of the keys that this server does not have, in order, and writes each one before
 * the next: it is kept whatever happens later (decision 33).
 * @throws LandfallError TRUST_REFUSED; NETWORK_…, HTTP_STATUS, BLOB_SIZE
 */
async function followRotations(host: Host, mirror: Mirror, product: string): Promise<void> {
  let anchor = await ensureTrustAnchor(host);
  for (let count = 0; count < maxRotations; count += 1) {
    const rotation = await mirror.rotation(anchor.trust + 1);
    if (!rotation) return;
    anchor = applyRotation(anchor, product, rotation.bytes, rotation.signature);
    await writeTrustAnchor(host, anchor);
  }
}

const maxManifest = headMembers[0]?.maxBytes ?? 0;

/**
 * Compares a new release with the installed one, from the release.json beside its bundle. Null if no URL
 * has it: it is only a preview, and the bundle is verified when it is installed.
 */
async function changesOf(
  mirror: Mirror,
  { urls, manifest }: ChannelBundle,
  before: Release,
  site: Site,
): Promise<ReleaseChanges | null> {
  for (const url of urls) {
    try {
      const bytes = await mirror.read(url.replace(/\.tar$/, '.release.json'), maxManifest);
      // The signed channel names its digest, so its signature need not be verified.
      if (sha256Hex(bytes) !== manifest) continue;
      return compareReleases(before, decodeNewerRelease(bytes).release, site);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
    }
  }
  return null;
}

/** The ratio of stored to downloaded size, as in the disk plan: layers are compressed in transit. */
const storedFactor = 2.6;

/** Compares a release with the installed one, for the images that the site chooses. */
export function compareReleases(before: Release, after: Release, site: Site): ReleaseChanges {
  const chosen = chosenImages(after, site);
  const { moved, images, models } = updateCost({ before, after: { ...after, images: chosen } });
  const sum = (field: 'bytes' | 'unsized') => moved[field] + images[field] + models[field];
  const changed = chosen.filter((image) => !before.images.some((old) => isSameImage(old, image)));
  const components = changed.map(({ component }) => component);
  const unpacked = changed.reduce((total, { size }) => total + storedFactor * (size ?? 0), 0);
  const disk = Math.round(moved.bytes + models.bytes + unpacked);
  return { bytes: sum('bytes'), unsized: sum('unsized'), disk, components };
}

type Offer = Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>;

/** Returns the release that the channels of a site offer, on all their mirrors. */
export function offeredRelease(
  site: Pick<Site, 'updates'>,
  { version, manifest, changes, urls, part }: Offer,
): NextRelease {
  const folders = site.updates.channels.map(folderUrl);
  const onMirrors = folders.flatMap((folder) => urls.map((url) => new URL(`../${url}`, folder)));
  const bundle = { urls: onMirrors, part };
  const { components = null, disk = null } = changes ?? {};
  return { version, manifest, components, disk, bundle };
}
