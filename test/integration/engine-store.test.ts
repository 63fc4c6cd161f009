import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseModelName } from '#contract/bundle/model-name.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { Host } from '../../appliance/host/host.ts';
import { runCommand } from '../../appliance/host/run/command.ts';
import { engineStore, manifestPath, storedModel } from '../../appliance/ollama/store.ts';
import { putTinyModel, tinyModel } from '../stand-ins/engine/put-tiny-model.ts';
import { needs } from './needs.ts';

const real = needs('engine');
const volume = 'landfall_engine-data';
const tiny = parseModelName('tiny:1b');

/** A host whose Docker is the one of the tests, or one that nobody started. */
function hostOf(socket: string): Host {
  const env = { DOCKER_HOST: `unix://${socket}` };
  return new Host('/', (file, args, options) => runCommand(file, args, { ...options, env }));
}

real.describe('the store of the engine, on a real Docker', () => {
  let docker: Docker;
  let host: Host;

  beforeAll(() => {
    docker = new Docker({ socketPath: real.engine });
    host = hostOf(real.engine);
  });
  afterAll(async () => {
    await docker?.getVolume(volume).remove({ force: true });
  });

  it('is nowhere before the stack was started, nor without a Docker that runs', async () => {
    expect(await engineStore(host)).toBeUndefined();
    expect(await engineStore(hostOf('/run/no-such-docker.sock'))).toBeUndefined();
  });

  it("is where Docker has the engine's volume, and shows what lies there", async () => {
    await docker.createVolume({ Name: volume });
    const store = await engineStore(host);
    if (!store || !tiny) throw new Error('there is no store');
    expect(await storedModel(host, store, tiny)).toBeUndefined();
    await putTinyModel(host.path(store), 'tiny:1b');
    expect((await storedModel(host, store, tiny))?.digest).toBe(digestOf(tinyModel().manifest));
    const path = join(host.path(store), manifestPath(tiny));
    await writeFile(path, 'no manifest');
    expect(await storedModel(host, store, tiny)).toBeUndefined();
  });
});
