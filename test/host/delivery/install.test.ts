import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landfall } from '../../pty/terminal.ts';
import { chatName } from '../boot/first-booted.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { DeliveryLab } from './delivery-lab.ts';
import { itRefusesToInstall } from './refusals-view.ts';

const distribution = 'debian13';
const given = hostNeeds('debian13', 'serverBundle');

given.describe(`landfall install, to a fresh ${distribution}`, () => {
  let cloud: Cloud;
  let host: FastHost;
  let lab: DeliveryLab;
  let visitor: Outsider;

  const install = (...more: string[]) => lab.run(lab.words('install', 'root', ...more));

  beforeAll(async () => {
    cloud = await Cloud.open(given.dependencies);
    visitor = await cloud.outsider();
    lab = await DeliveryLab.open(given.serverBundle);
    host = await cloud.bootEmpty(distribution);
    await host.put('/root/.ssh/authorized_keys', `${lab.client.publicKey}\n`, '0600');
  });
  afterAll(async () => {
    await lab?.close();
    await cloud?.close();
  });

  describe('before it changes anything', () =>
    itRefusesToInstall(
      () => lab,
      () => host,
    ));

  it('brings it up through five cuts, and shows the report', async () => {
    const proxy = await lab.leadTo(host, [30_000, 1e6, 5e6, 9e6, 2e7]);
    const { exitCode, stdout, stderr } = await install('--yes');
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expect(proxy.cuts).toBe(5);
    expect(stdout).toContain(chatName);
  });

  it('leaves a server that answers from outside, and only to the new account', async () => {
    const { v4 } = host.addresses;
    const resolve = ['--insecure', '--resolve', `${chatName}:443:${v4}`];
    expect((await visitor.fetch(`https://${chatName}/`, resolve)).status).toBe(200);
    const smoke = await lab.run([...landfall, 'smoke', '--address', v4]);
    expect({ ...smoke }).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await lab.run(lab.words('push', 'root'));
    expect(`${exitCode} ${stderr}`).toMatch(/^13 [\s\S]*SSH_DENIED/);
  });

  it('refuses another site for a server that is set up, and names what differs', async () => {
    const path = join(lab.folder, 'site.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(chatName, 'other.example.org'));
    const { exitCode, stderr } = await lab.run(lab.words('install', 'ops', '--yes'));
    await writeFile(path, text);
    expect(exitCode).toBe(11);
    expect(stderr).toContain(
      `hosts.ui: "${chatName}" on the server, "other.example.org" in site.yaml`,
    );
  });

  it('ends at once on a server that is set up', async () => {
    const { exitCode, stdout } = await lab.run(lab.words('install', 'ops', '--yes', '--json'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ release: expect.anything() });
  });
});
