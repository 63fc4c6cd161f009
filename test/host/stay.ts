import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Afterwards } from '../setup/afterwards.ts';
import type { HostDistribution } from '../setup/debian/host-image.ts';
import { prepareAll } from '../setup/prepare.ts';
import { sayOnScreen } from '../setup/say.ts';
import { HostBundle } from './boot/host-bundle.ts';
import { imageNeed } from './distributions.ts';
import type { FastHost } from './machine/fast-host.ts';
import { Cloud } from './network/cloud.ts';
import type { Outsider } from './network/outsider.ts';

/**
 * Boots a fresh server with the program of this tree, shows its console, and keeps it running until
 * the program ends: for work on stages.
 */
export async function stayWithHost(
  distribution: HostDistribution,
  afterwards: Afterwards,
): Promise<void> {
  const image = imageNeed[distribution];
  const needs = [image, 'engine', 'packageCache', 'registry', 'composePlugin'] as const;
  const given = await prepareAll(needs, afterwards);
  const folder = await mkdtemp(join(tmpdir(), 'landfall-stay-'));
  afterwards.add(() => rm(folder, { recursive: true, force: true }));
  sayOnScreen('bundle', 'building');
  const bundle = await HostBundle.shipped({
    folder: join(folder, 'work'),
    registry: given.registry,
    plugin: given.composePlugin,
  });
  const { engine, packageCache } = given;
  const cloud = await Cloud.open({
    engine,
    packageCache,
    images: { [distribution]: given[image] },
  });
  afterwards.add(() => cloud.close());
  const outsider = await cloud.outsider();
  const release = await cloud.serveFolder(bundle.dist);
  const userData = await bundle.userData({
    release: [release],
    admin: { ssh_keys: [outsider.publicKey] },
  });
  const host = await cloud.boot({ distribution, userData });
  console.log(introduction(engine, host, outsider));
  const output = await host.container.logs({ follow: true, stdout: true, stderr: true });
  output.pipe(process.stdout);
  setInterval(() => undefined, 2 ** 30);
}

function introduction(engine: string, host: FastHost, outsider: Outsider): string {
  const docker = `docker -H unix://${engine} exec -it`;
  return `
  ${host.name} boots at ${host.addresses.v4} and ${host.addresses.v6}. Its console output follows.
  on the server     ${docker} ${host.name} bash
  from outside      ${docker} ${outsider.name} bash    (ssh -i /root/key ops@${host.addresses.v4})
  update program    node builder/bin/run.mjs test/host/push.ts ${host.name}
  stop              Ctrl-C
`;
}
