import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { workFolder } from '../../simulator/work-folder.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { SshClient } from './ssh-client.ts';

const program = join(import.meta.dirname, '../../../builder/bin/landfall.mjs');

for (const distribution of distributions()) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`a fresh ${distribution}, installed over SSH`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let bundle: HostBundle;
    let client: SshClient;
    let folder: string;
    let proxy: CuttingProxy;

    const landfall = (...args: string[]) =>
      execa(process.execPath, [program, ...args], {
        cwd: folder,
        env: { CI: 'true' },
        stdin: 'ignore',
        reject: false,
      });
    const install = (...more: string[]) =>
      landfall(
        ...['install', `ssh://root@127.0.0.1:${proxy.port}`, '--ssh-config', client.config],
        ...['--release', bundle.dist, ...more],
      );

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      folder = await mkdtemp(join(await workFolder(), 'install-'));
      client = await SshClient.create(folder);
      bundle = await HostBundle.shipped({
        folder: join(folder, 'bundle'),
        registry: given.registry,
        plugin: given.composePlugin,
      });
      const admin = { ssh_keys: [client.publicKey] };
      const site = { release: 'push', admin, hosts: { ui: 'chat.example.com' } };
      await writeFile(join(folder, 'site.yaml'), stringify(site));
      host = await cloud.boot({ distribution, userData: '#cloud-config\n{}\n' });
      await host.cloudInit();
      await host.put('/root/.ssh/authorized_keys', `${client.publicKey}\n`, '0600');
      const target = { host: host.addresses.v4, port: 22 };
      proxy = await CuttingProxy.start(target, [1e4, 1e6, 5e6, 9e6, 2e7]);
    });
    afterAll(async () => {
      await proxy?.close();
      await cloud?.close();
    });

    it('is not changed without an answer', async () => {
      const { exitCode, stderr } = await install();
      expect(stderr).toContain('Docker with engine');
      expect(exitCode).toBe(2);
    });

    it('comes up through five cuts', async () => {
      const { exitCode, stdout, stderr } = await install('--yes');
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
      expect(proxy.cuts).toBe(5);
    });
  });
}
