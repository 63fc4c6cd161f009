import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Equipment,
  equip,
  everythingIn,
  refusalOf,
} from '../../../faulty-registry/equipment.ts';
import { FaultyRegistry, type Gate } from '../../../faulty-registry/faulty-registry.ts';
import { basicGate, basicValue, tokenGate } from '../../../faulty-registry/gates.ts';
import { makeImage, named } from '../../../faulty-registry/make-image.ts';
import {
  html,
  redirect,
  serve,
  status,
  tooManyRequests,
  unauthorized,
} from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

const both = ['linux/amd64', 'linux/arm64'] as const;
const login = { username: 'ops', password: 'pa:ss wörd' };
const secrets = [login.password, Buffer.from(`ops:${login.password}`).toString('base64')];
const image = makeImage();

let registry: FaultyRegistry;
let tools: Equipment;

async function start(gate?: Gate): Promise<void> {
  registry = await FaultyRegistry.start({ gate });
  registry.push('team/app:1', image);
}

/** Writes a file like `docker login`. */
async function keepLogin(entry: object, ...hosts: string[]): Promise<void> {
  await mkdir(join(tools.folder, '.docker'), { recursive: true });
  const under = hosts.length > 0 ? hosts : [registry.host];
  const config = { auths: Object.fromEntries(under.map((host) => [host, entry])) };
  await writeFile(join(tools.folder, '.docker', 'config.json'), JSON.stringify(config));
}

const auth = { auth: Buffer.from(`ops:${login.password}`).toString('base64') };
const open = (name = 'team/app:1') => tools.open(`${registry.host}/${name}`);

beforeEach(async () => {
  tools = await equip();
});

afterEach(async () => {
  await tools.close();
  await registry.close();
});

describe('a registry that requires a token', () => {
  it('grants anonymous tokens, one per repository', async () => {
    const { gate, asked } = tokenGate();
    await start(gate);
    registry.push('team/other:1', image);
    const source = open();
    await source.resolve(both);
    const layers = [...image.platforms.values()].flatMap((platform) => platform.layers);
    await Promise.all(layers.map((layer) => source.fetch(named(layer))));
    await open('team/other:1').resolve(both);
    expect(asked.map(({ query }) => query)).toEqual([
      { service: 'test registry', scope: 'repository:team/app:pull' },
      { service: 'test registry', scope: 'repository:team/other:pull' },
    ]);
    expect(asked[0]?.authorization).toBeUndefined();
  });

  it('gets one token request for many concurrent requests', async () => {
    const { gate, asked } = tokenGate();
    await start(gate);
    await open().resolve(both);
    tools = await tools.again();
    asked.length = 0;
    const source = open();
    const layers = [...image.platforms.values()].flatMap((platform) => platform.layers);
    await Promise.all(layers.map((layer) => source.fetch(named(layer))));
    expect(asked).toHaveLength(1);
  });

  it('gets the login only at its realm, and tokens only at the registry', async () => {
    const { gate, asked } = tokenGate({ login });
    await start(gate);
    await keepLogin(auth);
    await open().resolve(both);
    expect(asked).toHaveLength(1);
    const values = registry
      .seen()
      .filter(({ path }) => path !== '/token')
      .map(({ headers }) => headers.authorization ?? '');
    expect(values.filter((value) => value.startsWith('Basic'))).toEqual([]);
    expect(values.filter((value) => value.startsWith('Bearer')).length).toBeGreaterThan(0);
  });

  it('gets a new token after the first one expired', async () => {
    let worthless = false;
    const { gate, asked } = tokenGate({ honoured: () => !worthless });
    await start(gate);
    const source = open();
    await source.resolve(both);
    worthless = true;
    const layer = image.platforms.get('linux/amd64')?.layers[0];
    if (!layer) throw new Error('the image has layers');
    const error = await refusalOf(source.fetch(named(layer)));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(asked).toHaveLength(2);
    worthless = false;
    await source.fetch(named(layer));
  });

  it('does not get a token that is about to expire', async () => {
    const { gate, asked } = tokenGate({ lifetime: 5 });
    await start(gate);
    await open().resolve(['linux/amd64']);
    expect(asked.length).toBeGreaterThan(1);
  });

  it('gets an identity token as a form, and never in a URL', async () => {
    const { gate, asked } = tokenGate({ identity: 'identity-of-ops' });
    await start(gate);
    await keepLogin({ identitytoken: 'identity-of-ops' });
    await open().resolve(both);
    expect(asked).toEqual([
      {
        method: 'POST',
        query: {},
        authorization: undefined,
        form: {
          service: 'test registry',
          scope: 'repository:team/app:pull',
          grant_type: 'refresh_token',
          client_id: 'landfall',
          refresh_token: 'identity-of-ops',
        },
      },
    ]);
  });

  it('cannot redirect the identity token', async () => {
    const thief = await FaultyServer.start(status(200));
    await start(tokenGate({ realm: thief.url('/').href }).gate);
    thief.answer({ '/': redirect(registry.url('/token'), 307) });
    await keepLogin({ identitytoken: 'identity-of-ops' });
    expect((await refusalOf(open().resolve(both))).code).toBe('HTTP_STATUS');
    expect(registry.seen('/token')).toEqual([]);
    await thief.close();
  });
});

describe('a registry that rejects every token', () => {
  it('gets two requests and no more', async () => {
    const { gate, asked } = tokenGate({ honoured: () => false });
    await start(gate);
    const error = await refusalOf(open().resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.hint).toContain(`docker login ${registry.host}`);
    // HEAD twice, each with its token; then GET twice.
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(registry.seen('/v2/team/app/manifests/1').length).toBeLessThanOrEqual(4);
  });

  it('reports that an inaccessible image may not exist', async () => {
    const complaint = 'error="insufficient_scope"';
    await start(tokenGate({ honoured: () => false, complaint }).gate);
    const error = await refusalOf(open('team/secret:1').resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain('team/secret:1: it does not exist or is private');
    expect(error.hint).toContain('docker login');
  });

  it('reports both possible causes if a login has no access', async () => {
    const complaint = 'error="insufficient_scope"';
    await start(tokenGate({ honoured: () => false, complaint, login }).gate);
    await keepLogin(auth);
    const error = await refusalOf(open('team/secret:1').resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.hint).toContain('Check the name and the permissions of the login');
  });

  it('with an unknown challenge is rejected', async () => {
    await start(({ response }) => {
      response.writeHead(401, { 'www-authenticate': 'Negotiate' }).end();
      return false;
    });
    expect((await refusalOf(open().resolve(both))).code).toBe('REGISTRY_PROTOCOL');
  });
});

describe('a realm', () => {
  const answers = [
    ['a login page', html(), 'REGISTRY_PROTOCOL'],
    ['no token', serve(Buffer.from('{}')), 'REGISTRY_PROTOCOL'],
    ['a token with a line break', serve(Buffer.from('{"token":"a\\nb"}')), 'REGISTRY_PROTOCOL'],
    ['more than any token', serve(Buffer.alloc(300_000, 0x20)), 'REGISTRY_PROTOCOL'],
    ['401', unauthorized(), 'REGISTRY_AUTH'],
    ['403', status(403), 'REGISTRY_AUTH'],
    ['429', tooManyRequests('0'), 'REGISTRY_RATE_LIMIT'],
    ['500', status(500), 'HTTP_STATUS'],
  ] as const;

  it.each(answers)('that responds with %s is an error', async (_, answer, code) => {
    await start(tokenGate().gate);
    registry.fault('/token', answer);
    expect((await refusalOf(open().resolve(both))).code).toBe(code);
  });

  it.each([
    ['http://tokens.example.com/'],
    ['http://127.0.0.1.example.com/'],
    ['ftp://127.0.0.1/'],
    ['file:///etc/passwd'],
    ['/token'],
    [''],
  ])('at %j gets no request', async (realm) => {
    await start(tokenGate({ realm }).gate);
    await keepLogin(auth);
    const error = await refusalOf(open().resolve(both));
    expect(error.code).toBe('REGISTRY_PROTOCOL');
    expect(error.hint).toContain('no password was sent');
  });

  it('does not get the login after a redirect', async () => {
    const elsewhere = await FaultyServer.start(serve(Buffer.from('{"token":"anonymous"}')));
    await start(tokenGate({ login }).gate);
    await keepLogin(auth);
    registry.fault('/token', redirect(elsewhere.url('/token')));
    await refusalOf(open().resolve(both));
    expect(registry.seen('/token')[0]?.headers.authorization).toBe(basicValue(login));
    expect(elsewhere.seen().length).toBeGreaterThan(0);
    expect(elsewhere.seen().map(({ headers }) => headers.authorization)).not.toContain(
      basicValue(login),
    );
    await elsewhere.close();
  });
});

describe('a registry that requires a password', () => {
  it('gets it with every request after the first', async () => {
    await start(basicGate(login));
    await keepLogin(auth);
    const { platforms } = await open().resolve(both);
    expect(platforms).toHaveLength(2);
    const values = registry.seen().map(({ headers }) => headers.authorization);
    expect(values[0]).toBeUndefined();
    expect(new Set(values.slice(1))).toEqual(new Set([basicValue(login)]));
  });

  it('prints the login command if a registry requires a password and no login is stored', async () => {
    await start(basicGate(login));
    const error = await refusalOf(open().resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.hint).toContain(`docker login ${registry.host}`);
  });

  it('does not get a wrong password repeatedly', async () => {
    await start(basicGate({ ...login, password: 'another' }));
    await keepLogin(auth);
    const error = await refusalOf(open().resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(registry.seen().length).toBeLessThanOrEqual(4);
    for (const secret of secrets) expect(everythingIn(error)).not.toContain(secret);
  });

  it('does not get the password of another port', async () => {
    await start(basicGate(login));
    await keepLogin(auth, '127.0.0.1:1', '127.0.0.1', `https://127.0.0.1`, `${registry.host}0`);
    await refusalOf(open().resolve(both));
    expect(registry.seen().map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('does not leak the password to the host of its layers', async () => {
    const layer = image.platforms.get('linux/amd64')?.layers[0];
    if (!layer) throw new Error('the image has layers');
    const elsewhere = await FaultyServer.start({ '/blob': serve(layer.bytes) });
    await start(basicGate(login));
    await keepLogin(auth);
    const source = open();
    await source.resolve(both);
    registry.fault(`/v2/team/app/blobs/${layer.digest}`, redirect(elsewhere.url('/blob')));
    await source.fetch(named(layer));
    expect(elsewhere.seen('/blob').map(({ headers }) => headers.authorization)).toEqual([
      undefined,
    ]);
    await elsewhere.close();
  });

  it('gets no login for a challenge after a redirect', async () => {
    const layer = image.platforms.get('linux/amd64')?.layers[0];
    if (!layer) throw new Error('the image has layers');
    const thief = await FaultyServer.start(unauthorized('Basic realm="give me"'));
    await start(basicGate(login));
    await keepLogin(auth);
    const source = open();
    await source.resolve(both);
    registry.fault(`/v2/team/app/blobs/${layer.digest}`, redirect(thief.url('/blob')));
    expect((await refusalOf(source.fetch(named(layer)))).code).toBe('HTTP_STATUS');
    expect(thief.seen().map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await thief.close();
  });
});
