import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { imagesToProbe } from '../../../../builder/commands/init/images-to-probe.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-images-'));
});
afterEach(() => rm(folder, { recursive: true }));

const names = async (site?: Parameters<typeof imagesToProbe>[1]) =>
  (await imagesToProbe(join(folder, 'site.yaml'), site)).map(
    ({ registry, repository }) => `${registry}/${repository}`,
  );

it('returns the images of the reference appliance without a lock beside the site', async () => {
  expect(await names()).toEqual(
    expect.arrayContaining(['docker.io/kalaksi/tinyproxy', 'docker.io/lobehub/lobe-chat']),
  );
});

it('leaves out images of components that the site does not run', async () => {
  const found = await names(siteWith({ release: 'push' }));
  expect(found).toContain('docker.io/kalaksi/tinyproxy');
  expect(found).not.toContain('docker.io/lobehub/lobe-chat');
});

it('rejects an invalid lock beside the site', async () => {
  await writeFile(join(folder, 'appliance.lock.yaml'), 'images: 1\n');
  await expect(names()).rejects.toMatchObject({ code: 'LOCK_INVALID' });
});
