import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  acmeLog,
  issuedPair,
  prepareAcmeFolder,
  putAnswer,
  readAcmeLog,
} from '../../../../appliance/stages/tls/acme-folder.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const acme = 'var/lib/landfall/acme';
const challenges = `${acme}/challenges/.well-known/acme-challenge`;
const url = 'https://acme.example.com/directory';
const authority = { url, lineage: 'landfall', ca: undefined };
const pem = { 'fullchain.pem': 'chain', 'privkey.pem': 'key' };

function serverWith(files: Readonly<Record<string, string>> = {}) {
  const host = TemporaryHost.with({ 'etc/secret/fullchain.pem': 'secret', ...files });
  const linkTo = (target: string, path: string) => {
    mkdirSync(host.path(dirname(path)), { recursive: true });
    symlinkSync(target.startsWith('/') ? target : host.path(target), host.path(path));
  };
  return { host, linkTo };
}

function filesIn(folder: string, names: Readonly<Record<string, string>> = pem) {
  return Object.fromEntries(
    Object.entries(names).map(([name, text]) => [`${folder}/${name}`, text]),
  );
}

describe('a certificate of certbot', () => {
  it('reads a certificate through the links of certbot', async () => {
    const { host, linkTo } = serverWith(filesIn(`${acme}/config/archive/landfall`));
    for (const name of Object.keys(pem)) {
      linkTo(`${acme}/config/archive/landfall/${name}`, `${acme}/config/live/landfall/${name}`);
    }
    expect(await issuedPair(host, authority)).toEqual({ chain: 'chain', key: 'key' });
  });

  it('returns no certificate if the container links it to files of the server', async () => {
    const { host, linkTo } = serverWith(filesIn('etc/secret'));
    linkTo('etc/secret', `${acme}/config/live/landfall`);
    expect(await issuedPair(host, authority)).toBeUndefined();
  });

  it('returns no certificate if the container replaces it by a pipe', async () => {
    const { host } = serverWith(filesIn(`${acme}/config/live/landfall`, { 'privkey.pem': 'key' }));
    execFileSync('mkfifo', [host.path(`${acme}/config/live/landfall/fullchain.pem`)]);
    expect(await issuedPair(host, authority)).toBeUndefined();
  });
});

describe('the log of certbot', () => {
  it('returns no log of certbot if the container links it to a file of the server', async () => {
    const { host, linkTo } = serverWith();
    linkTo('etc/secret/fullchain.pem', acmeLog);
    expect(await readAcmeLog(host)).toBeUndefined();
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
