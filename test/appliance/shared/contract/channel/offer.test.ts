import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { offerFor, withdrawalOf } from '#contract/channel/offer.ts';
import { channelRelease } from './a-channel.ts';

const installed = { version: '1.0.0', arch: 'amd64', kind: 'thin', floor: null } as const;
const withdrawn = { reason: 'It lost data.' };

describe('the offer of a channel', () => {
  it('offers the newest release', () => {
    const releases = [channelRelease('1.2.0'), channelRelease('1.1.0'), channelRelease('1.0.0')];
    expect(offerFor({ releases }, installed)).toMatchObject({
      kind: 'update',
      release: { version: '1.2.0' },
      newest: '1.2.0',
    });
  });

  it('never offers a withdrawn release', () => {
    const releases = [channelRelease('1.2.0', { withdrawn }), channelRelease('1.1.0')];
    expect(offerFor({ releases }, installed)).toMatchObject({ release: { version: '1.1.0' } });
    expect(offerFor({ releases: releases.slice(0, 1) }, installed)).toEqual({ kind: 'up-to-date' });
  });

  it('never offers an older release', () => {
    const releases = [channelRelease('1.0.0'), channelRelease('0.9.0')];
    expect(offerFor({ releases }, installed)).toEqual({ kind: 'up-to-date' });
  });

  it('never offers a release below the floor of the keys', () => {
    const releases = [
      channelRelease('2.0.0', { updatesFrom: '1.1.0' }),
      channelRelease('1.1.0'),
      channelRelease('1.0.0'),
    ];
    expect(offerFor({ releases }, { ...installed, floor: '1.1.0' })).toMatchObject({
      release: { version: '1.1.0' },
    });
    expect(offerFor({ releases }, { ...installed, floor: '1.2.0' })).toMatchObject({
      kind: 'unreachable',
    });
  });

  it('offers the release in between if the newest requires one', () => {
    const releases = [
      channelRelease('3.0.0', { updatesFrom: '2.0.0' }),
      channelRelease('2.1.0', { updatesFrom: '2.0.0' }),
      channelRelease('2.0.0', { updatesFrom: '1.0.0' }),
      channelRelease('1.0.0'),
    ];
    expect(offerFor({ releases }, installed)).toMatchObject({
      release: { version: '2.0.0' },
      newest: '3.0.0',
    });
  });

  it('says what the newest release requires if no release in between exists', () => {
    const releases = [
      channelRelease('3.0.0', { updatesFrom: '2.0.0' }),
      channelRelease('2.0.0', { withdrawn }),
    ];
    expect(offerFor({ releases }, installed)).toEqual({
      kind: 'unreachable',
      newest: '3.0.0',
      updatesFrom: '2.0.0',
    });
  });

  it('offers the bundle of the same architecture and kind, or else the other kind', () => {
    const { bundles } = channelRelease('1.1.0');
    const of = (kind: 'thin' | 'full', arch: object) =>
      offerFor(
        { releases: [channelRelease('1.1.0', { bundles: { amd64: arch } })] },
        { ...installed, kind },
      );
    expect(of('full', { ...bundles.amd64 })).toMatchObject({ bundle: bundles.amd64?.full });
    expect(of('full', { thin: bundles.amd64?.thin })).toMatchObject({
      bundle: bundles.amd64?.thin,
    });
    const arm = { arm64: bundles.arm64 };
    expect(offerFor({ releases: [channelRelease('1.1.0', { bundles: arm })] }, installed)).toEqual({
      kind: 'up-to-date',
    });
  });

  it('reports the most severe security problem of all releases that it includes', () => {
    const releases = [
      channelRelease('1.3.0'),
      channelRelease('1.2.0', { security: 'moderate' }),
      channelRelease('1.1.0', { security: 'critical' }),
      channelRelease('1.0.0', { security: 'critical' }),
    ];
    expect(offerFor({ releases }, installed)).toMatchObject({ security: 'critical' });
    expect(offerFor({ releases }, { ...installed, version: '1.1.0' })).toMatchObject({
      security: 'moderate',
    });
  });

  it('leads from any release to the newest that can be reached, without a detour', () => {
    const version = fc.integer({ min: 0, max: 9 });
    const release = fc.record({ minor: version, from: fc.option(version), gone: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(release, { selector: ({ minor }) => minor }),
        version,
        (all, at) => {
          const releases = all
            .sort((one, other) => other.minor - one.minor)
            .map(({ minor, from, gone }) =>
              channelRelease(`1.${minor}.0`, {
                updatesFrom: from === null || from > minor ? null : `1.${from}.0`,
                withdrawn: gone ? withdrawn : null,
              }),
            );
          let current = `1.${at}.0`;
          for (;;) {
            const offer = offerFor({ releases }, { ...installed, version: current });
            if (offer.kind !== 'update') break;
            expect(offer.release.withdrawn).toBeNull();
            expect(semver.gt(offer.release.version, current)).toBe(true);
            current = offer.release.version;
          }
        },
      ),
    );
  });
});

describe('the withdrawal of the installed release', () => {
  it('returns the reason of a withdrawal', () => {
    const releases = [channelRelease('1.0.0', { withdrawn })];
    expect(withdrawalOf({ releases }, installed)).toBe('It lost data.');
    expect(withdrawalOf({ releases: [channelRelease('1.0.0')] }, installed)).toBeUndefined();
    expect(withdrawalOf({ releases: [] }, installed)).toBeUndefined();
  });
});
