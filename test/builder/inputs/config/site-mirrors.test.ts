import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readSiteMirrors } from '../../../../builder/inputs/config/site-mirrors.ts';
import { readLock } from '../../../../builder/inputs/lock/lock-file.ts';
import { refusalOf } from '../../../faulty-registry/equipment.ts';
import { serve } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../../commands/model-build-rig.ts';

const plugin = Buffer.from('a Compose plugin of a mirror');
const path = '/docker/compose/releases/download/v5/docker-compose-linux-x86_64';

let rig: ModelBuildRig;
let files: FaultyServer;
beforeEach(async () => {
  rig = await ModelBuildRig.start(tinyGguf(9));
  files = await FaultyServer.start({ [`/github.com${path}`]: serve(plugin) });
  await rig.writeAppliance('appliance.yaml');
  // Images and files as in the reference appliance: of Docker Hub and of GitHub.
  const text = await readFile(rig.path('appliance.yaml'), 'utf8');
  await writeFile(
    rig.path('appliance.yaml'),
    text
      .replace(`${rig.images.host}/team/app:1`, 'docker.io/team/app:1')
      .replace(rig.web.url('/compose').href, `https://github.com${path}`),
  );
});
afterEach(() => Promise.all([rig.close(), files.close()]));

const siteWith = (mirrors: string) =>
  writeFile(
    rig.path('site.yaml'),
    // The rest of a site may be unfinished.
    `release: push\nmirrors: ${mirrors}\n`,
  );
const mirrors = () =>
  `{ registries: { docker.io: "http://${rig.images.host}" }, github: "${files.origin}/github.com" }`;

describe('the mirrors of a site', () => {
  it('serve the lock and the build of the release beside it', async () => {
    await siteWith(mirrors());
    await rig.lock();
    const lock = await readLock(rig.path('appliance.lock.yaml'));
    expect(lock?.images.ui?.index).toMatch(/^sha256:/);
    expect(lock?.files['compose-plugin']?.['linux/amd64']).toMatchObject({
      sha256: sha256Hex(plugin),
      urls: [`https://github.com${path}`],
    });
    await rig.build('dist', ['--full', '--frozen'], 'another-store');
    expect(await rig.release('dist')).toMatchObject({ version: '1.0.0' });
  });

  it('give way to the option --mirror for the same host', async () => {
    await siteWith(mirrors().replace(rig.images.host, '127.0.0.1:1'));
    await rig.lock('appliance.yaml', 'store', '--mirror', `docker.io=http://${rig.images.host}`);
    const lock = await readLock(rig.path('appliance.lock.yaml'));
    expect(lock?.images.ui?.index).toMatch(/^sha256:/);
  });

  it('set the mirrors of npm and of the model hub for a build', async () => {
    await siteWith('{ npm: "https://npm.example.cn", hub: "https://hub.example.cn" }');
    const { env } = await readSiteMirrors({ cwd: rig.folder }, 'appliance.yaml');
    expect(env).toEqual({
      HF_ENDPOINT: 'https://hub.example.cn',
      npm_config_registry: 'https://npm.example.cn',
    });
  });

  it('uses no mirrors without a site beside the appliance', async () => {
    const { hosts, env } = await readSiteMirrors({ cwd: rig.folder }, 'appliance.yaml');
    expect([hosts.size, env]).toEqual([0, {}]);
  });

  it('report invalid mirrors', async () => {
    await siteWith('{ registries: { docker.io: "no URL" } }');
    expect(await refusalOf(rig.lock())).toMatchObject({
      code: 'CONFIG_INVALID',
      problems: [{ message: expect.stringMatching(/^mirrors\.registries\.docker\.io: /) }],
    });
  });
});
