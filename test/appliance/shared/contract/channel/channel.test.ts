import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChannel, encodeChannel } from '#contract/channel/channel.ts';
import { newestChannel, verifyChannel } from '#contract/channel/newest.ts';
import { LandfallError } from '#contract/errors.ts';
import { firstAnchor } from '#contract/trust/anchor.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../../simulator/keys.ts';
import { aChannel, channelRelease, signed, signedChannel } from './a-channel.ts';
import { corpus } from './corpus.ts';

const anchor = {
  ...firstAnchor({
    release: [releaseKey.public, secondKey.public],
    recovery: recoveryKey.public,
  }),
  channelSerial: 5,
};

function verdictOf(channel: Parameters<typeof verifyChannel>[0]): string {
  try {
    verifyChannel(channel, anchor, 'landfall');
    return 'accepted';
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    expect(error.hint).toMatch(/^[A-Z].*[.`]$/);
    expect(`${error.message}${error.problems.map(({ message }) => message)}`).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those must not be printed
      /[\u0000-\u001f\u007f-\u009f]/,
    );
    return error.code;
  }
}

describe('a channel', () => {
  it.each(corpus)('gives its verdict on a channel with %s', (_name, channel, verdict) => {
    expect(verdictOf(channel)).toBe(verdict);
  });

  it('rejects a channel that is cut off at any byte', () => {
    const { bytes } = signedChannel({ releases: [channelRelease('1.1.0')] });
    for (let length = 0; length < bytes.length; length += 1) {
      expect(verdictOf(signed(bytes.subarray(0, length)))).toBe('CHANNEL_INVALID');
    }
  });

  it('rejects any signed bytes with a coded error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(verdictOf(signed(bytes))).toBe('CHANNEL_INVALID');
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(verdictOf(signed(new TextEncoder().encode(text)))).toBe('CHANNEL_INVALID');
      }),
    );
  });

  it('rejects a channel of an earlier rotation of the keys, even with a higher serial', () => {
    const rotated = { ...anchor, trust: 2, channelSerial: 0 };
    const attempt = (trust: number) => () =>
      verifyChannel(signedChannel({ trust, serial: 9 }), rotated, 'landfall');
    expect(attempt(1)).toThrow(expect.objectContaining({ code: 'CHANNEL_OLD' }));
    expect(attempt(2)().channel.serial).toBe(9);
  });

  it('describes 50 releases, with thin and full bundles, in less than 64 kB', () => {
    const releases = Array.from({ length: 50 }, (_, index) => channelRelease(`1.${50 - index}.0`));
    expect(encodeChannel(aChannel({ releases })).length).toBeLessThan(64_000);
  });

  it('names the fields that this program does not know, unless a maintainer reads it', () => {
    const bytes = new TextEncoder().encode(`${JSON.stringify({ ...aChannel(), mood: 'good' })}\n`);
    expect(decodeChannel(bytes).ignored).toEqual(['mood']);
    expect(() => decodeChannel(bytes, 'reject')).toThrow(
      expect.objectContaining({ code: 'CHANNEL_INVALID' }),
    );
  });

  it('reads the same channel that was encoded', () => {
    const channel = aChannel({ critical: [{ field: 'mood', since: '2.0.0' }] });
    expect(decodeChannel(encodeChannel(channel), 'reject').channel).toEqual(channel);
  });
});

describe('the channels of several mirrors', () => {
  it('chooses the highest serial of several mirrors, and the first of equal ones', () => {
    const from = (serial: number, mirror: string) => ({
      ...verifyChannel(signedChannel({ serial }), anchor, 'landfall'),
      mirror,
    });
    expect(newestChannel([from(6, 'a'), from(8, 'b'), from(8, 'c')])?.mirror).toBe('b');
    expect(newestChannel([])).toBeUndefined();
  });
});
