import { LandfallError } from '../errors.ts';
import type { TrustAnchor } from '../trust/anchor.ts';
import {
  formatKeyId,
  type PublicKey,
  signerOf,
  type TrustedKeys,
  trustedKeysOf,
} from '../trust/keys.ts';
import { type Channel, decodeChannel, maxChannelBytes } from './channel.ts';

/** The files of one mirror. */
export interface SignedChannel {
  readonly bytes: Uint8Array;
  /** ECDSA P-256 over SHA-256, DER. */
  readonly signature: Uint8Array;
}

/** A channel that a trusted release key signed. */
export interface VerifiedChannel {
  readonly channel: Channel;
  readonly signer: PublicKey;
  /** Names of fields that this program does not know. */
  readonly ignored: readonly string[];
}

/**
 * Verifies the channel of one mirror. Its signature is verified before its content is parsed.
 * @throws LandfallError CHANNEL_UNTRUSTED unless a trusted release key signed it; CHANNEL_INVALID;
 * CHANNEL_KEYS when it needs a rotation that this server does not have; CHANNEL_OLD when it is older
 * than one that this server has seen
 */
export function verifyChannel(
  signed: SignedChannel,
  anchor: TrustAnchor,
  product: string,
): VerifiedChannel {
  const verified = verifyChannelFile(signed, trustedKeysOf(anchor), product);
  const { channel } = verified;
  if (channel.trust > anchor.trust) throw missingRotation(channel, anchor);
  if (channel.trust < anchor.trust || channel.serial < anchor.channelSerial) {
    throw outdated(channel, anchor);
  }
  return verified;
}

/**
 * Verifies who signed a channel, and that it is of a product. It may be older than another one.
 * @throws LandfallError CHANNEL_UNTRUSTED, CHANNEL_INVALID
 */
export function verifyChannelFile(
  { bytes, signature }: SignedChannel,
  { release }: Pick<TrustedKeys, 'release'>,
  product: string,
): VerifiedChannel {
  const isTooLarge = bytes.length > maxChannelBytes;
  const signer = isTooLarge ? undefined : signerOf(bytes, signature, release);
  // A longer channel is reported as such, without hashing it.
  if (!signer && !isTooLarge) throw untrusted(release);
  const { channel, ignored } = decodeChannel(bytes);
  if (channel.product !== product) {
    throw new LandfallError(
      'CHANNEL_INVALID',
      `the channel is of ${channel.product}, not ${product}`,
      {
        hint: 'Correct `updates.channels` of the site.',
      },
    );
  }
  return { channel, signer: signer as PublicKey, ignored };
}

/** Returns the newest of the verified channels of several mirrors; undefined without any. */
export function newestChannel<Verified extends VerifiedChannel>(
  verified: readonly Verified[],
): Verified | undefined {
  return verified.reduce<Verified | undefined>(
    (best, each) => (best && best.channel.serial >= each.channel.serial ? best : each),
    undefined,
  );
}

function untrusted(release: readonly PublicKey[]): LandfallError {
  const ids = release.map(({ id }) => formatKeyId(id)).join('; ');
  return new LandfallError(
    'CHANNEL_UNTRUSTED',
    `no trusted release key signed the channel (trusted: ${ids})`,
    { hint: 'Compare the key IDs with the published ones; a mirror may have been changed.' },
  );
}

function missingRotation({ trust }: Channel, anchor: TrustAnchor): LandfallError {
  return new LandfallError(
    'CHANNEL_KEYS',
    `the channel needs rotation ${trust} of the keys, and this server has ${anchor.trust}`,
    { hint: 'Ask the maintainers of the channel to publish its folder trust/ completely.' },
  );
}

function outdated({ trust, serial }: Channel, anchor: TrustAnchor): LandfallError {
  const found =
    trust < anchor.trust
      ? `the channel was signed before rotation ${anchor.trust} of the keys`
      : `the channel has serial ${serial}, and this server has seen ${anchor.channelSerial}`;
  return new LandfallError('CHANNEL_OLD', found, {
    hint: 'Wait: the mirror is older than another one. If it stays so, remove it from `updates.channels`.',
  });
}
