import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  makeSecret,
  readOrMakeSecret,
  readSecret,
  writeSecret,
} from '../../../../appliance/server/host/secret-file.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const place = 'etc/landfall/secrets/door-code';

describe('a secret', () => {
  it('generates a secret once and then reuses it', async () => {
    const host = TemporaryHost.with({});
    let made = 0;
    const make = () => `secret-${++made}`;
    expect(await readOrMakeSecret(host, 'door-code', make)).toBe('secret-1');
    expect(await readOrMakeSecret(host, 'door-code', make)).toBe('secret-1');
    expect(await readFile(host.path(place), 'utf8')).toBe('secret-1\n');
  });

  it('makes a secret and its folder readable only by root', async () => {
    const host = TemporaryHost.with({});
    await readOrMakeSecret(host, 'door-code', () => 'x');
    expect((await stat(host.path(place))).mode & 0o777).toBe(0o600);
    expect((await stat(host.path('etc/landfall/secrets'))).mode & 0o777).toBe(0o700);
    expect(await readdir(host.path('etc/landfall/secrets'))).toEqual(['door-code']);
  });

  it('generates a secret again if the file is empty', async () => {
    const host = TemporaryHost.with({ [place]: '\n' });
    expect(await readOrMakeSecret(host, 'door-code', () => 'new')).toBe('new');
  });

  it('reads the stored value of a secret without a final line break', async () => {
    const host = TemporaryHost.with({ [place]: 'owner-made \r\n' });
    expect(await readSecret(host, 'door-code')).toBe('owner-made ');
    await writeFile(host.path(place), 'no break');
    expect(await readSecret(host, 'door-code')).toBe('no break');
  });

  it('returns no secret before one is generated', async () => {
    const host = TemporaryHost.with({});
    expect(await readSecret(host, 'door-code')).toBeUndefined();
    await writeSecret(host, 'door-code', 'now');
    expect(await readSecret(host, 'door-code')).toBe('now');
  });
});

describe('makeSecret', () => {
  it('uses the length and all characters of the alphabet', () => {
    const secret = makeSecret({ length: 4000, alphabet: 'abc' });
    expect(secret).toMatch(/^[abc]{4000}$/);
    for (const letter of 'abc') expect(secret.split(letter).length).toBeGreaterThan(1000);
  });

  it('returns a different secret each time', () => {
    const shape = { length: 24, alphabet: 'abcdefghijkmnpqrstuvwxyz' };
    const secrets = Array.from({ length: 100 }, () => makeSecret(shape));
    expect(new Set(secrets).size).toBe(100);
  });
});
