import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import {
  ensureTrustAnchor,
  trustRelease,
  writeTrustAnchor,
} from '../../../../appliance/server/host/trust-anchor.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../../../simulator/keys.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = 'etc/landfall/keys';
const anchorFile = 'etc/landfall/trust.json';
const fromUserData = {
  [`${folder}/release-1.pem`]: publicKeyPem(releaseKey.public),
  [`${folder}/release-2.pem`]: publicKeyPem(secondKey.public),
  [`${folder}/recovery.pem`]: publicKeyPem(recoveryKey.public),
};
const namesIn = (host: TemporaryHost) => readdirSync(host.path(folder)).sort();
const anchorOf = (host: TemporaryHost) => readFileSync(host.path(anchorFile), 'utf8');
/** A release that announces another release key. */
const announcing = {
  ...makeRelease(tinyFiles),
  keys: { release: [strangerKey.public.spki], recovery: recoveryKey.public.spki },
};
const dropped = [releaseKey.public.spki, secondKey.public.spki];

describe('the trust anchor of a server', () => {
  it('starts with the keys of the user-data', async () => {
    const host = TemporaryHost.with(fromUserData);
    const expected = {
      schema: 1,
      release: [releaseKey.public.spki, secondKey.public.spki],
      recovery: recoveryKey.public.spki,
      revoked: [],
      floor: null,
      channelSerial: 0,
      trust: 0,
    };
    expect(await ensureTrustAnchor(host)).toEqual(expected);
    expect(JSON.parse(anchorOf(host))).toEqual(expected);
  });

  it('ignores dropped keys that user-data restores', async () => {
    const host = TemporaryHost.with(fromUserData);
    const rotated = {
      ...(await ensureTrustAnchor(host)),
      release: [strangerKey.public.spki],
      trust: 1,
    };
    await writeTrustAnchor(host, rotated);
    const again = TemporaryHost.with({ ...fromUserData, [anchorFile]: anchorOf(host) });
    expect(await ensureTrustAnchor(again)).toEqual(rotated);
    expect(namesIn(again)).toEqual(['recovery.pem', 'release-1.pem']);
    const pem = readFileSync(again.path(folder, 'release-1.pem'), 'utf8');
    expect(pem).toBe(publicKeyPem(strangerKey.public));
  });

  it('takes the keys of the first release instead of older ones in user-data', async () => {
    const host = TemporaryHost.with(fromUserData);
    const anchor = await ensureTrustAnchor(host, announcing);
    expect(anchor).toMatchObject({ release: [strangerKey.public.spki], revoked: dropped });
    expect(JSON.parse(anchorOf(host))).toEqual(anchor);
    expect(namesIn(host)).toEqual(['recovery.pem', 'release-1.pem']);
  });

  it('keeps its keys when a first boot runs again with an earlier release', async () => {
    const host = TemporaryHost.with(fromUserData);
    const rotated = { ...(await ensureTrustAnchor(host, announcing)), trust: 1 };
    await writeTrustAnchor(host, rotated);
    const keys = { release: [releaseKey.public.spki], recovery: recoveryKey.public.spki };
    expect(await ensureTrustAnchor(host, { ...announcing, keys })).toEqual(rotated);
  });

  it('rejects a release whose signer a rotation revoked during the download', async () => {
    const host = TemporaryHost.with(fromUserData);
    const anchor = await ensureTrustAnchor(host, announcing);
    const signer = { key: releaseKey.public, role: 'release' } as const;
    await expect(trustRelease(host, announcing, signer)).rejects.toMatchObject({
      code: 'BUNDLE_KEYS',
    });
    expect(await ensureTrustAnchor(host)).toEqual(anchor);
  });

  it('deletes unknown key files, because the bootstrap would trust them', async () => {
    const host = TemporaryHost.with(fromUserData);
    await ensureTrustAnchor(host);
    const other = TemporaryHost.with({
      [anchorFile]: anchorOf(host),
      [`${folder}/extra.pem`]: publicKeyPem(strangerKey.public),
    });
    await ensureTrustAnchor(other);
    expect(namesIn(other)).toEqual(['recovery.pem', 'release-1.pem', 'release-2.pem']);
  });

  it.each([
    ['the release key is missing', {}, 'STATE_INVALID'],
    [
      'there is only a recovery key',
      { 'recovery.pem': fromUserData[`${folder}/recovery.pem`] },
      'STATE_INVALID',
    ],
    ['a key file is not a key', { 'release-1.pem': 'hello' }, 'KEY_FORMAT'],
  ] as const)('rejects the trust anchor of a server when %s', async (_case, files, code) => {
    const paths = Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
    const host = TemporaryHost.with(Object.fromEntries(paths));
    await expect(ensureTrustAnchor(host)).rejects.toMatchObject({ code });
  });

  it.each([
    ['is not JSON', '{'],
    ['has an unknown field', '{"schema":1,"trusted":[]}'],
    ['names no key', '{"schema":1,"release":[],"recovery":null,"revoked":[],"floor":null}'],
  ])('rejects the trust anchor of a server when trust.json %s', async (_case, text) => {
    const host = TemporaryHost.with({ ...fromUserData, [anchorFile]: text });
    await expect(ensureTrustAnchor(host)).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});
