import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, isInPlace } from '../../../appliance/host/service.ts';
import { dockerKey } from '../../../appliance/runtime/docker-key.ts';
import { dockerRepository } from '../../../appliance/runtime/docker-repository.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { contextFor, type TestContext } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
let mirror: FaultyServer;

beforeEach(async () => {
  mirror = await FaultyServer.start({});
});
afterEach(() => mirror.close());

/** Returns a server with a mirror of Docker's packages. */
function serverWith(files: Readonly<Record<string, string>> = {}) {
  const docker = { source: 'docker', mirror: mirror.origin };
  const context = contextFor(TemporaryHost.with(files), { site: { docker } });
  return { context, textOf: (path: string) => readFileSync(context.host.path(path), 'utf8') };
}

const addRepository = (context: TestContext) => install(context.host, dockerRepository(context));
const hasRepository = (context: TestContext) => isInPlace(context.host, dockerRepository(context));

describe("Docker's repository", () => {
  it('gets the key that Landfall contains, and no key from the mirror', async () => {
    const { context, textOf } = serverWith();
    expect(await hasRepository(context)).toBe(false);
    await addRepository(context);
    expect(textOf(keyFile)).toBe(dockerKey);
    expect(textOf(sourcesFile)).toContain(`URIs: ${mirror.origin}/debian\n`);
    expect(await hasRepository(context)).toBe(true);
    expect(mirror.seen()).toEqual([]);
  });

  it.each([
    ['another key', (key: string) => key.replace('mQIN', 'mQIM')],
    ['a second key', (key: string) => key + key],
    ['no key', () => ''],
  ])('is written again if its key file has %s', async (_, change) => {
    const first = serverWith();
    await addRepository(first.context);
    const { context, textOf } = serverWith({
      [keyFile]: change(dockerKey),
      [sourcesFile]: first.textOf(sourcesFile),
    });
    expect(await hasRepository(context)).toBe(false);
    await addRepository(context);
    expect(textOf(keyFile)).toBe(dockerKey);
    expect(await hasRepository(context)).toBe(true);
  });
});
