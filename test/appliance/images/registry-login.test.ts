import { describe, expect, it } from 'vitest';
import { registryLogin } from '../../../appliance/images/registry-login.ts';
import { TemporaryHost } from '../temporary-host.ts';

const auth = Buffer.from('me:pass:word').toString('base64');
const digest = `sha256:${'a'.repeat(64)}`;

async function loginFor(image: string, settings?: string): Promise<unknown> {
  const files = settings === undefined ? {} : { 'root/.docker/config.json': settings };
  const header = await registryLogin(TemporaryHost.with(files), `${image}@${digest}`);
  return header && JSON.parse(Buffer.from(header, 'base64url').toString());
}

describe('the login of a registry', () => {
  const settings = JSON.stringify({
    proxies: {},
    auths: {
      'https://index.docker.io/v1/': { auth },
      'ghcr.io': { identitytoken: 'a-token' },
    },
  });

  it("is what docker login left for it; Docker's hub has a name of its own", async () => {
    expect(await loginFor('docker.io/x/y', settings)).toEqual({
      username: 'me',
      password: 'pass:word',
      serveraddress: 'https://index.docker.io/v1/',
    });
  });

  it('may be a token', async () => {
    expect(await loginFor('ghcr.io/x/y', settings)).toEqual({
      identitytoken: 'a-token',
      serveraddress: 'ghcr.io',
    });
  });

  // Docker's engine took it for no login, and the pull was refused.
  it('is padded', async () => {
    const files = { 'root/.docker/config.json': settings };
    const header = await registryLogin(TemporaryHost.with(files), `docker.io/x/y@${digest}`);
    expect((header ?? '').length % 4).toBe(0);
  });

  it('goes to no other registry', async () => {
    expect(await loginFor('mirror.example:5000/x/y', settings)).toBeUndefined();
  });

  it.each([
    ['is no file', undefined],
    ['is nothing', ''],
    ['is no JSON', '{"auths":'],
    ['has another shape', '{"auths":{"ghcr.io":[]}}'],
    ['has no logins', '{"proxies":{}}'],
  ])('is none where there %s', async (_, text) => {
    expect(await loginFor('ghcr.io/x/y', text)).toBeUndefined();
  });
});
