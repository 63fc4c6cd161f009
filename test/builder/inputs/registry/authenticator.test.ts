import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { Authenticator, fetchToken } from '../../../../builder/inputs/registry/authenticator.ts';
import { CredentialStore } from '../../../../builder/inputs/registry/credentials.ts';
import { refusalOf } from '../../../faulty-registry/equipment.ts';
import { serve } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';

const scope = 'repository:team/app:pull';
const login = { username: 'ops', password: 'secret' };

let http: HttpClient;
let server: FaultyServer;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  http = new HttpClient({ env: {} });
  server = await FaultyServer.start({ '/token': tokens() });
});

afterEach(async () => {
  await http.close();
  await server.close();
  await rm(folder, { recursive: true });
});

/** A new token per request: t1, t2. */
function tokens(lifetime?: number): Handler {
  return (visit) => {
    const answer = { token: `t${visit.count}`, expires_in: lifetime };
    return serve(Buffer.from(JSON.stringify(answer)))(visit);
  };
}

async function authenticator(entry?: object, now?: () => number): Promise<Authenticator> {
  const config = { auths: entry ? { 'registry.example.com': entry } : {} };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const credentials = new CredentialStore({ env: { DOCKER_CONFIG: folder } });
  const host = 'registry.example.com';
  return new Authenticator({ http, base: server.url('/'), host, credentials, now });
}

const demand = () => `Bearer realm="${server.url('/token')}"`;

describe('rejected requests', () => {
  it('share one token if they are concurrent', async () => {
    const asking = await authenticator();
    const answers = [1, 2, 3].map(() => asking.answer(demand(), scope));
    expect(await Promise.all(answers)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1']);
    expect(server.seen('/token')).toHaveLength(1);
  });

  it('reuse the token of the first one', async () => {
    const asking = await authenticator();
    expect(await asking.answer(demand(), scope)).toBe('Bearer t1');
    expect(await asking.answer(demand(), scope)).toBe('Bearer t1');
  });

  it('request a newer token if the newest is rejected', async () => {
    const asking = await authenticator();
    const first = await asking.answer(demand(), scope);
    expect(await asking.answer(demand(), scope, first)).toBe('Bearer t2');
    expect(await asking.answer(demand(), scope, first)).toBe('Bearer t2');
  });

  it('for another scope do not share its token', async () => {
    const asking = await authenticator();
    await asking.answer(demand(), scope);
    expect(await asking.known('repository:team/other:pull')).toBeUndefined();
  });

  it('do not send a rejected password again', async () => {
    const asking = await authenticator(login);
    const value = await asking.answer('Basic realm="x"', scope);
    expect(await asking.known(scope)).toBe(value);
    const error = await refusalOf(asking.answer('Basic realm="x"', scope, value));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.message).toContain('rejected the stored login');
  });

  it('fail if only an identity token is stored and a password is required', async () => {
    const asking = await authenticator({ identitytoken: 'secret' });
    const error = await refusalOf(asking.answer('Basic realm="x"', scope));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.message).toContain('only a token is stored');
  });

  it('use a token if password and token are offered', async () => {
    const asking = await authenticator(login);
    expect(await asking.answer(`Basic realm="x", ${demand()}`, scope)).toBe('Bearer t1');
  });

  it('may be retried after a failure', async () => {
    const asking = await authenticator();
    await refusalOf(asking.answer('Bearer realm="http://example.com"', scope));
    expect(await asking.known(scope)).toBeUndefined();
    expect(await asking.answer(demand(), scope)).toBe('Bearer t1');
  });
});

describe('a token', () => {
  it.each([
    ['is used until ten seconds before its expiry', 300, 289_000, true],
    ['is not used in its last ten seconds', 300, 291_000, false],
    ['is valid for a minute by default', undefined, 49_000, true],
    ['is not valid for longer than a minute by default', undefined, 51_000, false],
    ['is valid for a day at most', 1e9, 25 * 60 * 60 * 1000, false],
    ['is expired if its lifetime is negative', -5, 0, false],
  ])('%s', async (_, lifetime, later, isKnown) => {
    server.answer({ '/token': tokens(lifetime) });
    let now = 1_000_000;
    const asking = await authenticator(undefined, () => now);
    await asking.answer(demand(), scope);
    now += later;
    expect(await asking.known(scope)).toBe(isKnown ? 'Bearer t1' : undefined);
  });
});

describe('a realm on this machine', () => {
  const request = { service: undefined, scope, credentials: undefined };

  it('requests a token from a realm on this machine for a registry on this machine', async () => {
    const realm = server.url('/token').href;
    const token = await fetchToken(http, { ...request, realm, registry: server.url('/') });
    expect(token.value).toBe('t1');
  });

  it('rejects a realm on this machine for a registry elsewhere', async () => {
    const registry = new URL('https://registry.example.com');
    const realm = server.url('/token').href;
    const error = await refusalOf(fetchToken(http, { ...request, realm, registry }));
    expect(error.code).toBe('REGISTRY_PROTOCOL');
    expect(server.seen()).toEqual([]);
  });

  it('keeps its query', async () => {
    const realm = server.url('/token?account=ops&scope=other').href;
    const queries: string[] = [];
    server.answer((visit) => {
      queries.push(visit.url.search);
      return tokens()(visit);
    });
    await fetchToken(http, { ...request, service: 's', realm, registry: server.url('/') });
    expect(queries).toEqual(['?account=ops&scope=repository%3Ateam%2Fapp%3Apull&service=s']);
  });
});
