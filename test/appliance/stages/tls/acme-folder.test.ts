import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  issuedPair,
  prepareAcmeFolder,
  putAnswer,
} from '../../../../appliance/stages/tls/acme-folder.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const acme = 'var/lib/landfall/acme';
const challenges = `${acme}/challenges/.well-known/acme-challenge`;
const url = 'https://acme.example.com/directory';
const authority = { url, lineage: 'landfall', ca: undefined };

function serverWith(files: Readonly<Record<string, string>> = {}) {
  const host = TemporaryHost.with({ 'etc/secret/fullchain.pem': 'secret', ...files });
  const linkTo = (target: string, path: string) => {
    mkdirSync(host.path(dirname(path)), { recursive: true });
    symlinkSync(target.startsWith('/') ? target : host.path(target), host.path(path));
  };
  return { host, linkTo };
}

const pair = `${acme}/config/certificates/landfall`;

describe('a certificate of lego', () => {
  it('reads the certificate of the authority', async () => {
    const { host } = serverWith({ [`${pair}.crt`]: 'chain', [`${pair}.key`]: 'key' });
    expect(await issuedPair(host, authority)).toEqual({ chain: 'chain', key: 'key' });
  });

  it('returns no certificate if the container links it to files of the server', async () => {
    const { host, linkTo } = serverWith({ [`${pair}.key`]: 'key' });
    linkTo('etc/secret/fullchain.pem', `${pair}.crt`);
    expect(await issuedPair(host, authority)).toBeUndefined();
  });

  it('returns no certificate if the container replaces it by a pipe', async () => {
    const { host } = serverWith({ [`${pair}.key`]: 'key' });
    execFileSync('mkfifo', [host.path(`${pair}.crt`)]);
    expect(await issuedPair(host, authority)).toBeUndefined();
  });
});

describe('files that a power cut has truncated', () => {
  it('removes them before lego runs, and keeps whole ones', async () => {
    const account = `${acme}/config/accounts/acme.example.com/ops@example.com`;
    const key = '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n';
    const { host } = serverWith({
      [`${pair}.crt`]: '-----BEGIN CERTIFICATE-----\nMIIB',
      [`${pair}.key`]: key,
      [`${pair}.json`]: '',
      [`${account}/account.json`]: '{"registration":{"status":"valid"}}',
      [`${account}/ops@example.com.key`]: '',
    });
    await prepareAcmeFolder(host, authority);
    expect(existsSync(host.path(`${pair}.crt`))).toBe(false);
    expect(existsSync(host.path(`${pair}.json`))).toBe(false);
    expect(readdirSync(host.path(account))).toEqual(['account.json']);
  });

  it('keeps a certificate only with all of its files', async () => {
    const block = (kind: string) => `-----BEGIN ${kind}-----\nMC4C\n-----END ${kind}-----\n`;
    const chain = block('CERTIFICATE');
    const whole = { crt: chain, 'issuer.crt': chain, key: block('PRIVATE KEY'), json: '{}' };
    for (const lost of ['', 'crt', 'key', 'json']) {
      const files = Object.entries(whole).filter(([part]) => part !== lost);
      const { host } = serverWith(
        Object.fromEntries(files.map(([part, text]) => [`${pair}.${part}`, text])),
      );
      await prepareAcmeFolder(host, authority);
      expect(readdirSync(host.path(dirname(pair))), lost).toHaveLength(lost === '' ? 4 : 0);
    }
  });

  it.each(['{"id":"ops@example.com","registration":null}', '{"registration":{}}', '{"id":'])(
    'removes an account that lego saved before the authority had it: %s',
    async (text) => {
      const path = `${acme}/config/accounts/acme.example.com/ops@example.com/account.json`;
      const { host } = serverWith({ [path]: text });
      await prepareAcmeFolder(host, authority);
      expect(existsSync(host.path(path))).toBe(false);
    },
  );

  it('removes a file that is too large for one of lego', async () => {
    const { host } = serverWith({ [`${pair}.crt`]: '-'.repeat(1024 * 1024 + 1) });
    await prepareAcmeFolder(host, authority);
    expect(existsSync(host.path(`${pair}.crt`))).toBe(false);
  });
});

describe('a response to a challenge', () => {
  it('makes the response to a challenge readable by the gateway, and removes it', async () => {
    const { host } = serverWith();
    await prepareAcmeFolder(host, authority);
    const remove = await putAnswer(host, 'token', 'answer');
    const path = host.path(challenges, 'token');
    expect(readFileSync(path, 'utf8')).toBe('answer');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
    await remove();
    await remove();
    expect(existsSync(path)).toBe(false);
  });

  it.each([challenges, dirname(challenges)])(
    'writes no response through a link that the container puts at %s',
    async (path) => {
      const { host, linkTo } = serverWith();
      mkdirSync(host.path('etc/secret'), { recursive: true });
      linkTo('etc/secret', path);
      const before = statSync(host.path('etc/secret')).mode;
      await expect(putAnswer(host, 'token', 'answer')).rejects.toMatchObject({
        code: 'FILE_ACCESS',
      });
      await expect(prepareAcmeFolder(host, authority)).rejects.toMatchObject({
        code: 'FILE_ACCESS',
      });
      expect(readdirSync(host.path('etc/secret'))).toEqual(['fullchain.pem']);
      expect(statSync(host.path('etc/secret')).mode).toBe(before);
    },
  );
});
