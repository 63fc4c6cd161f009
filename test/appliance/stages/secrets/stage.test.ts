import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  readSecrets,
  stackCredentials,
} from '../../../../appliance/stages/secrets/secret-values.ts';
import { secretsStage } from '../../../../appliance/stages/secrets/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = 'etc/landfall/secrets';
const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
const named = (...keys: string[]) => ({ providers, relay: { keys } });

describe('the secrets of a server', () => {
  it('generates the secrets of a server once, readable only by root, and keeps them', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host, { site: { providers } });
    await secretsStage.apply(context);
    await secretsStage.prove(context);
    expect(await secretsStage.check(context)).toEqual([]);
    const first = await readSecrets(host, context.site);
    expect(Object.keys(first)).toContain('RELAY_KEY_OWNER');
    expect(statSync(host.path(folder, 'RELAY_KEY_OWNER')).mode & 0o777).toBe(0o600);
    await secretsStage.apply(context);
    expect(await readSecrets(host, context.site)).toEqual(first);
  });
});

describe('the relay keys of the clients in a site', () => {
  it('generates and shows no relay key for a site without a relay', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host, { site: { relay: { keys: ['phone'] } } });
    await secretsStage.apply(context);
    const names = Object.keys(await readSecrets(host, context.site));
    expect(names.filter((name) => name.startsWith('RELAY_KEY_'))).toEqual([]);
    const shown = await stackCredentials(host, context.site);
    expect(shown.map(({ title }) => title)).not.toContain('Relay key, for your tools');
  });

  it('generates a relay key per client, and shows it to the administrator', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host, { site: named('phone', 'old-laptop') });
    await secretsStage.apply(context);
    const secrets = await readSecrets(host, context.site);
    const { RELAY_KEY_PHONE, RELAY_KEY_OLD_LAPTOP, RELAY_KEY_OWNER } = secrets;
    const keys = [RELAY_KEY_PHONE, RELAY_KEY_OLD_LAPTOP, RELAY_KEY_OWNER];
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{43}$/);
    const shown = await stackCredentials(host, context.site);
    expect(shown).toContainEqual({
      title: 'Relay key, old-laptop',
      name: 'RELAY_KEY_OLD_LAPTOP',
      value: RELAY_KEY_OLD_LAPTOP,
    });
  });

  it('deletes the relay key of a removed client, and keeps other keys unchanged', async () => {
    const host = TemporaryHost.with({});
    const before = contextFor(host, { site: named('phone', 'laptop') });
    await secretsStage.apply(before);
    const { RELAY_KEY_LAPTOP: laptop } = await readSecrets(host, before.site);
    const after = contextFor(host, { site: named('laptop') });
    expect(await secretsStage.check(after)).toEqual(['remove RELAY_KEY_PHONE']);
    await secretsStage.apply(after);
    expect(existsSync(host.path(folder, 'RELAY_KEY_PHONE'))).toBe(false);
    expect(await readSecrets(host, after.site)).toMatchObject({ RELAY_KEY_LAPTOP: laptop });
    expect(await secretsStage.check(after)).toEqual([]);
  });

  it('deletes relay keys of clients only, and keeps provider keys', async () => {
    const file = `${folder}/OPENAI_API_KEY`;
    const others = [file, `${folder}/console-password`, `${folder}/RELAY_KEY_PHONE`];
    const host = TemporaryHost.with(Object.fromEntries(others.map((path) => [path, 'x\n'])));
    const context = contextFor(host);
    await secretsStage.apply(context);
    expect(others.map((path) => existsSync(host.path(path)))).toEqual([true, true, false]);
  });

  it('generates a new relay key if a client is added again', async () => {
    const host = TemporaryHost.with({});
    const key = async (...names: string[]) => {
      const context = contextFor(host, { site: named(...names) });
      await secretsStage.apply(context);
      return (await readSecrets(host, context.site)).RELAY_KEY_PHONE;
    };
    const first = await key('phone');
    expect(await key()).toBeUndefined();
    const second = await key('phone');
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
  });
});

describe('the password of the SOCKS5 server', () => {
  const lan = { listen: '10.8.0.1', allow: ['10.8.0.0/24'] };

  it('generates the password of the SOCKS5 server, and shows it with its user', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host, { site: { socks: { ...lan, username: 'me' } } });
    expect(await secretsStage.check(context)).toContain('generate SOCKS_PASSWORD');
    await secretsStage.apply(context);
    const { SOCKS_PASSWORD: value } = await readSecrets(host, context.site);
    expect(value).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(await stackCredentials(host, context.site)).toContainEqual({
      title: 'SOCKS5 server, user me',
      name: 'SOCKS_PASSWORD',
      value,
    });
  });

  it('does not exist on loopback, which needs no login', async () => {
    const context = contextFor(TemporaryHost.with({}), { site: { socks: {} } });
    expect((await secretsStage.check(context)).join()).not.toContain('SOCKS');
  });
});
