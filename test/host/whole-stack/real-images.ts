import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Afterwards } from '../../setup/afterwards.ts';
import { prepareAll } from '../../setup/prepare.ts';
import { tinyEmbeddingGguf } from '../../stand-ins/engine/gguf/tiny-embedding-gguf.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { Premises } from '../boot/premises.ts';
import { printStages } from './print-stages.ts';

const needs = ['hostDebian13', 'engine', 'packageCache', 'composePlugin'] as const;
/** For slow networks: a full bundle has about 7 GB of images. Seconds. */
const firstBootSeconds = 3600;

/**
 * Builds the reference appliance from the images of the public registries, boots a fresh server with
 * it, and prints its smoke tests. The models are tiny ones with random weights.
 * @param stays keeps the server running until the process ends
 * @returns whether every smoke test passed
 * @throws Error with the output of the builder if no registry can be reached
 */
export async function demonstrateRealImages(stays: boolean, afterwards: Afterwards) {
  const { engine, packageCache, composePlugin, hostDebian13 } = await prepareAll(needs, afterwards);
  const folder = await mkdtemp(join(tmpdir(), 'landfall-real-images-'));
  afterwards.add(() => rm(folder, { recursive: true, force: true }));
  console.log('\n== building a bundle of the images of the public registries');
  const bundle = await HostBundle.shipped({
    registry: undefined,
    plugin: composePlugin,
    models: [
      { name: 'tiny:1b', bytes: tinyGguf() },
      { name: 'tiny-embedding:1b', bytes: tinyEmbeddingGguf(), role: 'embedding' },
    ],
    folder: join(folder, 'builder'),
  });
  const premises = await Premises.open({
    dependencies: { engine, packageCache, images: { debian13: hostDebian13 } },
    distribution: 'debian13',
    bundle,
  });
  afterwards.add(() => premises.close());
  const { name, addresses } = premises.host;
  console.log(`\n== the first boot of a fresh server at ${addresses.v4}`);
  await premises.comeUp(printStages(console.log), firstBootSeconds);
  const { exitCode, stdout } = await premises.host.run('landfall smoke');
  console.log(`\n== landfall smoke, on the server\n${stdout}`);
  if (stays) {
    console.log(`\n== running until Ctrl-C
  chat UI         https://${addresses.v4}/ (the browser shows a warning: an internal certificate)
  on the server   docker -H unix://${engine} exec -it ${name} bash`);
    for (;;) await sleep(2 ** 30);
  }
  return exitCode === 0;
}
