import { describe, expect, it } from 'vitest';
import { registryLogin } from '../../../../appliance/stages/images/docker-api.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const auth = Buffer.from('me:pass:word').toString('base64');
const digest = `sha256:${'a'.repeat(64)}`;

async function loginFor(image: string, settings?: string): Promise<unknown> {
  const files = settings === undefined ? {} : { 'root/.docker/config.json': settings };
  const header = await registryLogin(TemporaryHost.with(files), `${image}@${digest}`);
  return header && JSON.parse(Buffer.from(header, 'base64url').toString());
}

describe('the credentials of a registry', () => {
  const settings = JSON.stringify({
    proxies: {},
    auths: {
      'https://index.docker.io/v1/': { auth },
      'ghcr.io': { identitytoken: 'a-token' },
    },
  });

  it('reads the credentials of docker login, which uses another name for Docker Hub', async () => {
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

  // Regression: Docker ignored unpadded credentials, and the pull was rejected.
  it('pads the credentials of a registry', async () => {
    const files = { 'root/.docker/config.json': settings };
    const header = await registryLogin(TemporaryHost.with(files), `docker.io/x/y@${digest}`);
    expect((header ?? '').length % 4).toBe(0);
  });

  it('sends no credentials to another registry', async () => {
    expect(await loginFor('mirror.example:5000/x/y', settings)).toBeUndefined();
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is not JSON', '{"auths":'],
    ['has an invalid structure', '{"auths":{"ghcr.io":[]}}'],
    ['has no credentials', '{"proxies":{}}'],
  ])('finds no credentials if the file of docker login %s', async (_, text) => {
    expect(await loginFor('ghcr.io/x/y', text)).toBeUndefined();
  });
});
