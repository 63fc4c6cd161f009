import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { ensureTrustAnchor, writeTrustAnchor } from '../../../appliance/host/trust-anchor.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../../simulator/keys.ts';
import { TemporaryHost } from '../temporary-host.ts';

const folder = 'etc/landfall/keys';
const anchorFile = 'etc/landfall/trust.json';
const fromUserData = {
  [`${folder}/release-1.pem`]: publicKeyPem(releaseKey.public),
  [`${folder}/release-2.pem`]: publicKeyPem(secondKey.public),
  [`${folder}/recovery.pem`]: publicKeyPem(recoveryKey.public),
};
const namesIn = (host: TemporaryHost) => readdirSync(host.path(folder)).sort();
const anchorOf = (host: TemporaryHost) => readFileSync(host.path(anchorFile), 'utf8');

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
