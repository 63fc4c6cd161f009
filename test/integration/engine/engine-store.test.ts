import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseModelName } from '#contract/bundle/model-name.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { engineStore, manifestPath, storedModel } from '../../../appliance/server/ollama/store.ts';
import { putTinyModel, tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { needs } from '../needs.ts';

const real = needs('engine');
const volume = 'landfall_engine-data';
const tiny = parseModelName('tiny:1b');

/** Returns a host with the Docker of the tests, or with a Docker that is not running. */
function hostOf(socket: string): Host {
  const env = { DOCKER_HOST: `unix://${socket}` };
  return new Host('/', (file, args, options) => runCommand(file, args, { ...options, env }));
}

real.describe('the model store of Ollama, on a real Docker', () => {
  let docker: Docker;
  let host: Host;

  beforeAll(() => {
    docker = new Docker({ socketPath: real.engine });
    host = hostOf(real.engine);
  });
  afterAll(async () => {
    await docker?.getVolume(volume).remove({ force: true });
  });

  it('does not exist before the stack was started, or while Docker is not running', async () => {
    expect(await engineStore(host)).toBeUndefined();
    expect(await engineStore(hostOf('/run/no-such-docker.sock'))).toBeUndefined();
  });

  it('finds the model store in the volume of Ollama, with its files', async () => {
    await docker.createVolume({ Name: volume });
    const store = await engineStore(host);
    if (!store || !tiny) throw new Error('there is no store');
    expect(await storedModel(host, store, tiny)).toBeUndefined();
    await putTinyModel(host.path(store), 'tiny:1b');
    expect(await storedModel(host, store, tiny)).toBe(digestOf(tinyModel().manifest));
    const path = join(host.path(store), manifestPath(tiny));
    await writeFile(path, 'no manifest');
    expect(await storedModel(host, store, tiny)).toBeUndefined();
  });
});
