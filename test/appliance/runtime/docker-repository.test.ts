import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addDockerRepository,
  hasDockerRepository,
} from '../../../appliance/runtime/docker-repository.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { dockerKey } from './docker-key.ts';
import { armor, newKey } from './openpgp-keys.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const path = '/debian/gpg';
let mirror: FaultyServer;

beforeEach(async () => {
  mirror = await FaultyServer.start({});
});
afterEach(() => mirror.close());

/** A server whose mirror of Docker's packages has this file as its key. */
function serverGiven(file: string) {
  mirror.answer({ [path]: ({ response }) => void response.end(file) });
  const engine = { source: 'docker', mirror: mirror.origin };
  const context = contextFor(TemporaryHost.with({}), { site: { engine } });
  return { context, written: () => readFileSync(context.host.path(keyFile), 'utf8') };
}

describe("Docker's repository, from a mirror", () => {
  it('is believed for the fingerprint of its key, of which apt gets what was judged', async () => {
    const { context, written } = serverGiven(dockerKey);
    expect(await hasDockerRepository(context)).toBe(false);
    await addDockerRepository(context);
    expect(written()).toMatch(
      /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n[A-Za-z0-9+/\n]+=*\n-----END/,
    );
    expect(await hasDockerRepository(context)).toBe(true);
  });

  // Everything of the file was handed to apt once its first packet was Docker's.
  it.each([
    ['in a block of its own', dockerKey + armor(newKey())],
    ['in a block before', armor(newKey()) + dockerKey],
  ])('is refused with a second key %s, and nothing is written', async (_, file) => {
    const { context, written } = serverGiven(file);
    await expect(addDockerRepository(context)).rejects.toMatchObject({ code: 'ENGINE_SETTINGS' });
    expect(written).toThrow('ENOENT');
  });

  it('is not known by a file that somebody wrote another key into', async () => {
    const { context, written } = serverGiven(dockerKey);
    await addDockerRepository(context);
    const { host } = contextFor(
      TemporaryHost.with({
        [keyFile]: written() + armor(newKey()),
        'etc/apt/sources.list.d/landfall-docker.sources': readFileSync(
          context.host.path('etc/apt/sources.list.d/landfall-docker.sources'),
          'utf8',
        ),
      }),
    );
    expect(await hasDockerRepository({ ...context, host })).toBe(false);
  });

  it('is given up where the key comes byte by byte, for ever', async () => {
    const { context } = serverGiven('');
    mirror.answer({
      [path]: ({ response }) => {
        const timer = setInterval(() => response.write('x'), 10);
        response.once('close', () => clearInterval(timer));
      },
    });
    await expect(addDockerRepository(context, 200)).rejects.toMatchObject({
      code: 'NETWORK_TIMEOUT',
      message: `${mirror.origin}${path} did not give Docker's key within 0.2 seconds`,
    });
  });
});
