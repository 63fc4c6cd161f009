import semver from 'semver';
import { z } from 'zod';
import { pathPattern } from '../bundle/bundle-paths.ts';
import { architectures } from '../bundle/release-name.ts';
import { versionSchema } from '../bundle/version.ts';
import { LandfallError } from '../errors.ts';
import { encodeUtf8 } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/json.ts';
import { criticalFields, type DocumentKind, decodeDocument } from '../trust/signed-document.ts';

/**
 * `channel.json`, signed by a release key: which releases exist. A server learns from it what to
 * install. It is published in a folder of its own beside the folders of the releases, so that a mirror
 * is a copy of the folder above it (decision 64).
 */

/** Names of the two files in the folder of a channel. */
export const channelFile = 'channel.json';
export const channelSignatureFile = 'channel.json.sig';
/** Maximum size of channel.json in bytes. */
export const maxChannelBytes = 256_000;
/** Maximum size of the notes of a release, in bytes of UTF-8. */
export const maxNotesBytes = 4096;

const name = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);
const instant = z.iso.datetime({ precision: 0 });

/** Printable text: it is shown on terminals, after escape sequences were removed again. */
const text = (maxBytes: number) =>
  z
    .string()
    .refine((value) => encodeUtf8(value).length <= maxBytes, `must have at most ${maxBytes} bytes`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be in it
    .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/, 'must have no control characters');

/** A bundle, relative to the folder above the channel: no scheme, no `..`, no escapes, no query. */
const bundle = z.strictObject({
  /** SHA-256 of its release.json, 64 hex digits. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
  /** Bytes. */
  size: z.int().min(1),
  /** Size of its parts in bytes; null: one file (decision 41). */
  part: z.int().min(1).nullable(),
  urls: z
    .array(z.string().regex(pathPattern, 'must be a plain relative path'))
    .min(1)
    .max(8)
    .refine((urls) => new Set(urls).size === urls.length, 'lists a URL twice'),
});

const bundlesOfArchitecture = z
  .strictObject({ thin: bundle.optional(), full: bundle.optional() })
  .refine(({ thin, full }) => thin !== undefined || full !== undefined, 'has no bundle');

const channelRelease = z
  .strictObject({
    version: versionSchema,
    created: instant,
    dataEpoch: z.int().min(1).max(1_000_000),
    /** The oldest version that updates directly to this one; null: any. */
    updatesFrom: versionSchema.nullable(),
    /** The most severe security problem that this release solves. */
    security: z.enum(['none', 'moderate', 'critical']),
    notes: text(maxNotesBytes),
    withdrawn: z.strictObject({ reason: text(500).min(1) }).nullable(),
    bundles: z.strictObject({
      amd64: bundlesOfArchitecture.optional(),
      arm64: bundlesOfArchitecture.optional(),
    }),
  })
  .refine(({ bundles }) => architectures.some((arch) => bundles[arch]), 'has no bundle')
  .refine(
    ({ version, updatesFrom }) => updatesFrom === null || !semver.gt(updatesFrom, version),
    'updates from a later version than its own',
  );

const channelSchema = z
  .strictObject({
    type: z.literal('landfall-channel'),
    schema: z.literal(1),
    product: name,
    channel: name,
    /** Increased with every publication. Every rotation of the keys starts at 0 again. */
    serial: z.int().min(0),
    created: instant,
    /** After this instant a server warns that the channel is not maintained. */
    expires: instant,
    /** Number of the rotation whose keys signed this channel. */
    trust: z.int().min(0).max(1_000_000),
    critical: criticalFields,
    /** The newest first. */
    releases: z.array(channelRelease).max(500),
  })
  .refine(({ releases }) => isDescending(releases), {
    error: 'must list each version once, the newest first',
    path: ['releases'],
  })
  .refine(({ created, expires }) => Date.parse(created) < Date.parse(expires), {
    error: 'must be after created',
    path: ['expires'],
  });

export type Channel = z.infer<typeof channelSchema>;
export type ChannelRelease = Channel['releases'][number];
export type ChannelBundle = z.infer<typeof bundle>;

function isDescending(releases: ReadonlyArray<{ readonly version: string }>): boolean {
  return releases.every(({ version }, index) => {
    const before = releases[index - 1];
    return before === undefined || semver.gt(before.version, version);
  });
}

/** Encodes a channel as canonical JSON, on one line: servers read it every day. */
export function encodeChannel(channel: Channel): Uint8Array {
  return encodeCanonicalJson(channel, 0);
}

const hint = 'Tell the maintainers of the channel, and try another mirror.';
const document: DocumentKind<Channel> = {
  name: channelFile,
  indent: 0,
  schema: channelSchema,
  invalid: (found, details) => new LandfallError('CHANNEL_INVALID', found, { hint, ...details }),
  newer: (found, details) =>
    new LandfallError('CHANNEL_INVALID', found, {
      hint: 'Update this server by hand: see updates.md of the documentation.',
      ...details,
    }),
};

/** A channel, and the names of its fields that this program does not know. */
interface DecodedChannel {
  readonly channel: Channel;
  readonly ignored: readonly string[];
}

/**
 * Parses channel.json. A server ignores unknown fields, except critical ones; a maintainer's program
 * rejects them. Only for bytes that a trusted key signed.
 * @throws LandfallError CHANNEL_INVALID
 */
export function decodeChannel(
  bytes: Uint8Array,
  unknownFields: 'reject' | 'ignore' = 'ignore',
): DecodedChannel {
  if (bytes.length > maxChannelBytes) throw tooLarge(bytes.length);
  const { value, ignored } = decodeDocument(bytes, document, unknownFields);
  return { channel: value, ignored };
}

function tooLarge(size: number): LandfallError {
  const found = `${channelFile} has ${size} bytes; at most ${maxChannelBytes} are allowed`;
  return new LandfallError('CHANNEL_INVALID', found, { hint });
}
