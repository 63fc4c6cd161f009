import { type ChannelRelease, encodeChannel } from '#contract/channel/channel.ts';
import type { SignedChannel } from '#contract/channel/newest.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import {
  recoveryKey,
  releaseKey,
  secondKey,
  signDer,
  strangerKey,
} from '../../../../simulator/keys.ts';
import { aChannel, channelRelease, signed, signedChannel } from './a-channel.ts';

/** The code with which a server rejects a channel; `accepted` for a valid one. */
type Verdict =
  | 'accepted'
  | 'CHANNEL_INVALID'
  | 'CHANNEL_UNTRUSTED'
  | 'CHANNEL_KEYS'
  | 'CHANNEL_OLD';

type Case = readonly [name: string, channel: SignedChannel, verdict: Verdict];

const json = (value: unknown) => encodeUtf8(`${JSON.stringify(value)}\n`);
const text = () => new TextDecoder().decode(encodeChannel(aChannel()));
/** A signed channel with another value of a field. */
const withField = (name: string, value: unknown) => signed(json({ ...aChannel(), [name]: value }));
/** A signed channel whose first release has another value of a field. */
const withReleaseField = (name: string, value: unknown) => {
  const [first, ...others] = aChannel().releases;
  return withField('releases', [{ ...first, [name]: value }, ...others]);
};
const withBundle = (change: object) => {
  const thin = { ...channelRelease('1.1.0').bundles.amd64?.thin, ...change };
  return withReleaseField('bundles', { amd64: { thin } });
};
const withUrl = (url: unknown) => withBundle({ urls: [url] });
const edited = (from: string | RegExp, to: string) => signed(encodeUtf8(text().replace(from, to)));
const releases = (...all: ChannelRelease[]) => signedChannel({ releases: all });
/** A channel with exactly this many bytes. */
const sized = (bytes: number) => {
  const notes = (length: number) =>
    Array.from({ length: 70 }, (_, index) =>
      channelRelease(`1.${70 - index}.0`, {
        notes: 'x'.repeat(Math.max(0, Math.min(3600, length - index * 3600))),
      }),
    );
  const empty = encodeChannel(aChannel({ releases: notes(0) })).length;
  return releases(...notes(bytes - empty));
};

const fields = Object.keys(aChannel());

/** Channels of people and of attackers. Every one is read with trust 0 and serial 5. */
export const corpus: readonly Case[] = [
  // Valid ones.
  ['two releases', signedChannel(), 'accepted'],
  ['no release yet', signedChannel({ releases: [] }), 'accepted'],
  ['the serial that the server has seen', signedChannel({ serial: 5 }), 'accepted'],
  ['the highest serial', signedChannel({ serial: Number.MAX_SAFE_INTEGER }), 'accepted'],
  ['the second of two release keys', signedChannel({}, secondKey), 'accepted'],
  [
    'one that expired a year ago',
    signedChannel({ created: '2025-01-01T00:00:00Z', expires: '2025-11-01T00:00:00Z' }),
    'accepted',
  ],
  [
    'one from a year in the future',
    signedChannel({ created: '2027-11-01T00:00:00Z', expires: '2028-01-01T00:00:00Z' }),
    'accepted',
  ],
  [
    'a withdrawn newest release',
    releases(channelRelease('1.1.0', { withdrawn: { reason: 'It lost data.' } })),
    'accepted',
  ],
  [
    'a pre-release before its release',
    releases(channelRelease('1.1.0'), channelRelease('1.1.0-rc.1')),
    'accepted',
  ],
  ['one architecture and one kind', withBundle({}), 'accepted'],
  ['notes in Chinese', withReleaseField('notes', '修复了一个安全问题。'), 'accepted'],
  ['notes of 4096 bytes', withReleaseField('notes', 'x'.repeat(4096)), 'accepted'],
  ['parts', withBundle({ part: 1_900_000_000 }), 'accepted'],
  ['an unknown field of a later program', withField('mood', 'good'), 'accepted'],
  ['an unknown field of a release', withReleaseField('mood', 'good'), 'accepted'],
  ['exactly 256 kB', sized(256_000), 'accepted'],
  [
    'a critical field that it does not use',
    signedChannel({ critical: [{ field: 'mood', since: '2.0.0' }] }),
    'accepted',
  ],
  // Signatures.
  ['an untrusted key', signedChannel({}, strangerKey), 'CHANNEL_UNTRUSTED'],
  ['the recovery key', signedChannel({}, recoveryKey), 'CHANNEL_UNTRUSTED'],
  ['no signature', { ...signedChannel(), signature: new Uint8Array() }, 'CHANNEL_UNTRUSTED'],
  [
    'a signature that is too long',
    { ...signedChannel(), signature: new Uint8Array(73) },
    'CHANNEL_UNTRUSTED',
  ],
  [
    'a signature of another channel',
    { ...signedChannel(), signature: signedChannel({ serial: 8 }).signature },
    'CHANNEL_UNTRUSTED',
  ],
  [
    'one changed byte',
    { ...signedChannel(), bytes: encodeUtf8(text().replace('1.1.0', '1.1.1')) },
    'CHANNEL_UNTRUSTED',
  ],
  [
    'a line break after the end',
    { bytes: encodeUtf8(`${text()}\n`), signature: signDer(encodeUtf8(text()), releaseKey) },
    'CHANNEL_UNTRUSTED',
  ],
  ['nothing', { bytes: new Uint8Array(), signature: new Uint8Array() }, 'CHANNEL_UNTRUSTED'],
  // Age and keys.
  ['a lower serial', signedChannel({ serial: 4 }), 'CHANNEL_OLD'],
  ['the serial 0', signedChannel({ serial: 0 }), 'CHANNEL_OLD'],
  ['a rotation that the server lacks', signedChannel({ trust: 1 }), 'CHANNEL_KEYS'],
  ['a million rotations', signedChannel({ trust: 1_000_000 }), 'CHANNEL_KEYS'],
  // Size.
  ['256 kB and one byte', sized(256_001), 'CHANNEL_INVALID'],
  [
    '2000 releases',
    releases(...Array.from({ length: 2000 }, (_, index) => channelRelease(`1.${2000 - index}.0`))),
    'CHANNEL_INVALID',
  ],
  ['a large file of a stranger', signed(new Uint8Array(300_000), strangerKey), 'CHANNEL_INVALID'],
  // Encoding.
  ['no line break at its end', signed(encodeUtf8(text().trimEnd())), 'CHANNEL_INVALID'],
  [
    'indented JSON',
    signed(encodeUtf8(`${JSON.stringify(aChannel(), null, 2)}\n`)),
    'CHANNEL_INVALID',
  ],
  ['a byte order mark', signed(encodeUtf8(`\ufeff${text()}`)), 'CHANNEL_INVALID'],
  ['invalid UTF-8', signed(Uint8Array.from([...encodeUtf8(text()), 0xff])), 'CHANNEL_INVALID'],
  ['a field twice', edited('"serial":7,', '"serial":7,"serial":7,'), 'CHANNEL_INVALID'],
  [
    'fields in another order',
    signed(json(Object.fromEntries(Object.entries(aChannel()).reverse()))),
    'CHANNEL_INVALID',
  ],
  ['an escaped letter', edited('"stable"', '"st\\u0061ble"'), 'CHANNEL_INVALID'],
  ['a serial as a float', edited('"serial":7', '"serial":7.0'), 'CHANNEL_INVALID'],
  ['null', signed(json(null)), 'CHANNEL_INVALID'],
  ['a list', signed(json([])), 'CHANNEL_INVALID'],
  ['a text', signed(json('channel')), 'CHANNEL_INVALID'],
  [
    '__proto__',
    signed(encodeUtf8(text().replace('"serial"', '"__proto__":{},"serial"'))),
    'CHANNEL_INVALID',
  ],
  [
    'deep nesting',
    withField('mood', JSON.parse('['.repeat(200) + ']'.repeat(200))),
    'CHANNEL_INVALID',
  ],
  // Every field is needed, and no field may have another type.
  ...fields.map((name): Case => {
    const { [name as 'type']: _dropped, ...rest } = aChannel();
    return [`no ${name}`, signed(json(rest)), 'CHANNEL_INVALID'];
  }),
  ...fields.map(
    (name): Case => [`${name} as a list of lists`, withField(name, [[]]), 'CHANNEL_INVALID'],
  ),
  // Values.
  ['another product', signedChannel({ product: 'other' }), 'CHANNEL_INVALID'],
  ['another type', withField('type', 'landfall-trust'), 'CHANNEL_INVALID'],
  ['schema 2', withField('schema', 2), 'CHANNEL_INVALID'],
  [
    'a critical field that this program lacks',
    signed(json({ ...aChannel({ critical: [{ field: 'mood', since: '2.0.0' }] }), mood: 'good' })),
    'CHANNEL_INVALID',
  ],
  ['a negative serial', withField('serial', -1), 'CHANNEL_INVALID'],
  ['the serial 2^53', withField('serial', 2 ** 53), 'CHANNEL_INVALID'],
  ['a name with a slash', withField('channel', '../stable'), 'CHANNEL_INVALID'],
  ['a time without a zone', withField('created', '2026-11-01T00:00:00'), 'CHANNEL_INVALID'],
  ['a time with fractions', withField('created', '2026-11-01T00:00:00.5Z'), 'CHANNEL_INVALID'],
  ['an end before its start', withField('expires', '2026-10-01T00:00:00Z'), 'CHANNEL_INVALID'],
  [
    'a version twice',
    releases(channelRelease('1.1.0'), channelRelease('1.1.0')),
    'CHANNEL_INVALID',
  ],
  [
    'the oldest release first',
    releases(channelRelease('1.0.0'), channelRelease('1.1.0')),
    'CHANNEL_INVALID',
  ],
  ['a version with build metadata', releases(channelRelease('1.1.0+1')), 'CHANNEL_INVALID'],
  ['a version that is no version', releases(channelRelease('latest')), 'CHANNEL_INVALID'],
  [
    'an update from a later version',
    releases(channelRelease('1.1.0', { updatesFrom: '1.2.0' })),
    'CHANNEL_INVALID',
  ],
  ['an unknown severity', withReleaseField('security', 'high'), 'CHANNEL_INVALID'],
  ['no architecture', withReleaseField('bundles', {}), 'CHANNEL_INVALID'],
  [
    'an architecture without a bundle',
    withReleaseField('bundles', { amd64: {} }),
    'CHANNEL_INVALID',
  ],
  ['notes of 4097 bytes', withReleaseField('notes', 'x'.repeat(4097)), 'CHANNEL_INVALID'],
  [
    'notes of 4098 bytes in Chinese',
    withReleaseField('notes', '字'.repeat(1366)),
    'CHANNEL_INVALID',
  ],
  ['an escape sequence in notes', withReleaseField('notes', 'a\u001b[31mred'), 'CHANNEL_INVALID'],
  ['a C1 control character in notes', withReleaseField('notes', 'a\u009b31m'), 'CHANNEL_INVALID'],
  ['a carriage return in notes', withReleaseField('notes', 'good\rbad'), 'CHANNEL_INVALID'],
  [
    'a withdrawal without a reason',
    withReleaseField('withdrawn', { reason: '' }),
    'CHANNEL_INVALID',
  ],
  ['a withdrawal as a flag', withReleaseField('withdrawn', true), 'CHANNEL_INVALID'],
  ['a digest in upper case', withBundle({ manifest: 'A'.repeat(64) }), 'CHANNEL_INVALID'],
  ['a short digest', withBundle({ manifest: 'a'.repeat(63) }), 'CHANNEL_INVALID'],
  ['a bundle of size 0', withBundle({ size: 0 }), 'CHANNEL_INVALID'],
  ['parts of size 0', withBundle({ part: 0 }), 'CHANNEL_INVALID'],
  ['no URL', withBundle({ urls: [] }), 'CHANNEL_INVALID'],
  [
    'nine URLs',
    withBundle({ urls: Array.from({ length: 9 }, (_, index) => `${index}.tar`) }),
    'CHANNEL_INVALID',
  ],
  ['a URL twice', withBundle({ urls: ['a.tar', 'a.tar'] }), 'CHANNEL_INVALID'],
  ...[
    ...['../landfall.tar', 'v1/../../x.tar', './x.tar', 'v1/./x.tar', '..', '.', ''],
    ...['/etc/passwd', '//evil.example/x.tar', 'https://evil.example/x.tar', 'file:///etc/passwd'],
    ...['javascript:alert(1)', 'user:pass@evil.example/x.tar', 'x.tar?a=1', 'x.tar#a', 'v1//x.tar'],
    ...['%2e%2e/x.tar', 'v1%2fx.tar', 'v1\\x.tar', 'a b.tar', '-x.tar', 'v1/-x.tar', 'x.tar\n'],
    ...['字.tar', 'x'.repeat(101)],
  ].map((url): Case => [`the URL ${JSON.stringify(url)}`, withUrl(url), 'CHANNEL_INVALID']),
  ['a number as a URL', withUrl(7), 'CHANNEL_INVALID'],
];
