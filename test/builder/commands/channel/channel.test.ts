import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstAnchor } from '#contract/trust/anchor.ts';
import { applyRotation } from '#contract/trust/rotation.ts';
import { makeKeyPair, recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';
import { type ChannelLab, channelLab } from './channel-lab.ts';

let lab: ChannelLab;
beforeEach(async () => {
  lab = await channelLab();
});
afterEach(() => rm(lab.folder, { recursive: true }));

const anchor = firstAnchor({ release: [releaseKey.public], recovery: recoveryKey.public });
const signWith = (name: string) => lab.channel('sign', '--key', `${name}.key`);
const releases = async () =>
  JSON.parse(`${await lab.read('stable/channel.json')}`).releases as { version: string }[];

describe('landfall channel', () => {
  it('writes a channel that a server accepts', async () => {
    await lab.write('notes.md', 'Faster.\r\nSafer.\n\n');
    await lab.channel('add', 'v1.0.0');
    await lab.channel('add', 'v1.1.0', '--notes', 'notes.md', '--security', 'moderate');
    expect(await signWith('release')).toMatch(/^landfall stable: serial 1, rotation 0 of the keys/);
    const { channel, signer } = await lab.asServer(anchor);
    expect(signer.id).toBe(releaseKey.public.id);
    expect(channel.releases).toMatchObject([
      {
        version: '1.1.0',
        security: 'moderate',
        notes: 'Faster.\nSafer.',
        bundles: { amd64: { thin: { part: null, urls: ['v1.1.0/landfall-1.1.0-amd64.tar'] } } },
      },
      { version: '1.0.0', security: 'none', withdrawn: null },
    ]);
    const days = (Date.parse(channel.expires) - Date.parse(channel.created)) / 86_400_000;
    expect(days).toBe(60);
  });

  it('lists thin and full bundles of a version as one release', async () => {
    await lab.channel('add', 'v1.0.0');
    await lab.channel('add', 'full-v1.0.0');
    expect(await releases()).toMatchObject([
      {
        bundles: {
          amd64: {
            thin: { urls: ['v1.0.0/landfall-1.0.0-amd64.tar'] },
            full: { urls: ['full-v1.0.0/landfall-1.0.0-amd64.tar'] },
          },
        },
      },
    ]);
  });

  it('adds the releases of a prepared channel, and keeps the notes and a withdrawal', async () => {
    await lab.channel('add', 'full-v1.0.0', '--channel', 'entry');
    await lab.write('notes.md', 'Faster.');
    await lab.channel('add', 'v1.0.0', '--notes', 'notes.md', '--security', 'critical');
    await lab.channel('withdraw', '1.0.0', '--reason', 'It lost data.');
    await lab.channel('add', 'entry/channel.json');
    expect(await releases()).toMatchObject([
      {
        notes: 'Faster.',
        security: 'critical',
        withdrawn: { reason: 'It lost data.' },
        bundles: { amd64: { thin: {}, full: { urls: ['full-v1.0.0/landfall-1.0.0-amd64.tar'] } } },
      },
    ]);
  });

  it('increases the serial with every signature', async () => {
    await lab.channel('add', 'v1.0.0');
    await signWith('release');
    await signWith('release');
    expect((await lab.asServer(anchor)).channel.serial).toBe(2);
  });

  it('removes the signature of a changed channel', async () => {
    await lab.channel('add', 'v1.0.0');
    await signWith('release');
    expect(await lab.channel('withdraw', '1.0.0', '--reason', 'It lost data.')).toContain(
      'changed and not signed',
    );
    expect(existsSync(join(lab.folder, 'stable/channel.json.sig'))).toBe(false);
    await signWith('release');
    expect(await lab.channel('show')).toContain('withdrawn: It lost data.');
  });

  it.each([
    ['a release that the channel does not have', ['withdraw', '9.0.0', '--reason', 'x'], 'USAGE'],
    ['a folder without a bundle', ['add', '.'], 'FILE_MISSING'],
    ['a folder that does not exist', ['add', 'v9'], 'FILE_MISSING'],
    ['a prepared channel that does not exist', ['add', 'v9.json'], 'FILE_MISSING'],
    ['a prepared channel of another kind', ['add', 'package.json'], 'CHANNEL_INVALID'],
  ])('rejects %s', async (_what, args, code) => {
    await lab.channel('add', 'v1.0.0');
    await lab.write('package.json', '{}');
    await expect(lab.channel(...args)).rejects.toMatchObject({ code });
  });

  it('rejects notes with an escape sequence, and writes nothing', async () => {
    await lab.write('notes.md', 'a\u001b[31mred');
    const attempt = lab.channel('add', 'v1.0.0', '--notes', 'notes.md');
    await expect(attempt).rejects.toMatchObject({ code: 'CHANNEL_INVALID' });
    expect(existsSync(join(lab.folder, 'stable'))).toBe(false);
  });

  it('removes an old release from the channel', async () => {
    await lab.channel('add', 'v1.0.0');
    await lab.channel('add', 'v1.1.0');
    await lab.channel('remove', '1.0.0');
    expect((await releases()).map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it('rejects a release of another product', async () => {
    await lab.channel('add', 'v1.0.0');
    await lab.addBundle('other/other-1.0.0-amd64.tar', { product: 'other' });
    await expect(lab.channel('add', 'other')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('names the command that creates a channel', async () => {
    await expect(lab.channel('show')).rejects.toMatchObject({
      code: 'FILE_MISSING',
      hint: expect.stringContaining('landfall channel add'),
    });
  });

  it('prints the channel as JSON', async () => {
    expect(JSON.parse(await lab.channel('add', 'v1.0.0', '--json'))).toMatchObject({
      signed: false,
      channel: { channel: 'stable', serial: 0 },
    });
  });
});

describe('landfall trust', () => {
  const next = makeKeyPair();
  const rotate = (...args: string[]) =>
    lab.trust('rotate', '--key', 'recovery.key', '--release-key', 'next.pub', ...args);

  beforeEach(async () => {
    await lab.addKey('recovery', recoveryKey);
    await lab.addKey('next', next);
  });

  it('writes a rotation that a server follows, and a channel of the new key', async () => {
    await lab.channel('add', 'v1.0.0');
    await signWith('release');
    expect(await rotate('--floor', '1.0.0')).toContain('after rotation 1:');
    const [bytes, signature] = [await lab.read('trust/1.json'), await lab.read('trust/1.json.sig')];
    const after = applyRotation({ ...anchor, channelSerial: 9 }, 'landfall', bytes, signature);
    expect(after).toMatchObject({
      release: [next.public.spki],
      recovery: recoveryKey.public.spki,
      revoked: [releaseKey.public.spki],
      floor: '1.0.0',
      channelSerial: 0,
    });
    await expect(signWith('release')).rejects.toMatchObject({ code: 'CHANNEL_UNTRUSTED' });
    await signWith('next');
    expect((await lab.asServer(after)).channel).toMatchObject({ trust: 1, serial: 1 });
  });

  it('replaces the recovery key, which signs the next rotation', async () => {
    await lab.addKey('second', secondKey);
    await rotate('--recovery-key', 'second.pub');
    await expect(rotate()).rejects.toMatchObject({ code: 'TRUST_REFUSED' });
    await lab.addKey('third', makeKeyPair());
    const args = ['--key', 'second.key', '--release-key', 'third.pub'];
    expect(await lab.trust('rotate', ...args)).toContain('after rotation 2:');
    expect(JSON.parse(await lab.trust('show', '--json')).keys).toMatchObject({ trust: 2 });
  });

  it('never restores a revoked key', async () => {
    await rotate('--revoke', 'release.pub');
    const args = ['--key', 'recovery.key', '--release-key', 'release.pub'];
    await expect(lab.trust('rotate', ...args)).rejects.toMatchObject({ code: 'TRUST_REFUSED' });
    expect(existsSync(join(lab.folder, 'trust/2.json'))).toBe(false);
  });

  it('reads all public keys before the private key', async () => {
    const args = ['--key', 'missing.key', '--release-key', 'missing.pub'];
    await expect(lab.trust('rotate', ...args)).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('says that servers have the keys of their user-data without a rotation', async () => {
    expect(await lab.trust('show')).toContain('no rotation');
  });
});
