import { type Channel, type ChannelRelease, encodeChannel } from '#contract/channel/channel.ts';
import type { SignedChannel } from '#contract/channel/newest.ts';
import { type KeyPair, releaseKey, signDer } from '../../../../simulator/keys.ts';

/** Returns a release of a channel. */
export function channelRelease(
  version: string,
  change: Partial<ChannelRelease> = {},
): ChannelRelease {
  const bundle = (prefix: string, arch: string) => ({
    manifest: 'a'.repeat(64),
    size: 12_000_000,
    part: null,
    urls: [`${prefix}v${version}/landfall-${version}-${arch}.tar`],
  });
  const both = (arch: string) => ({ thin: bundle('', arch), full: bundle('full-', arch) });
  return {
    version,
    created: '2026-11-01T00:00:00Z',
    dataEpoch: 1,
    updatesFrom: null,
    security: 'none',
    notes: `Release ${version}.\nFaster.`,
    withdrawn: null,
    bundles: { amd64: both('amd64'), arm64: both('arm64') },
    ...change,
  };
}

/** Returns a channel with two releases. */
export function aChannel({
  releases = [channelRelease('1.1.0'), channelRelease('1.0.0')],
  ...change
}: Partial<Channel> = {}): Channel {
  return {
    type: 'landfall-channel',
    schema: 1,
    product: 'landfall',
    channel: 'stable',
    serial: 7,
    created: '2026-11-01T00:00:00Z',
    expires: '2026-12-31T00:00:00Z',
    trust: 0,
    ...change,
    releases,
  };
}

/** Signs the bytes of a channel. */
export function signed(bytes: Uint8Array, key: KeyPair = releaseKey): SignedChannel {
  return { bytes, signature: signDer(bytes, key) };
}

/** Encodes and signs a channel. */
export function signedChannel(change: Partial<Channel> = {}, key?: KeyPair): SignedChannel {
  return signed(encodeChannel(aChannel(change)), key);
}
