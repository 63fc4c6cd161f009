import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatName } from '../boot/first-booted.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { DeliveryLab } from './delivery-lab.ts';

const distribution = 'debian13';
const given = hostNeeds('debian13', 'serverBundle');

given.describe(`landfall install, after a first boot of ${distribution} that failed`, () => {
  let cloud: Cloud;
  let host: FastHost;
  let lab: DeliveryLab;
  let siteText: string;
  let deadMirror: string;

  const install = () => lab.run(lab.words('install', 'root', '--yes'));
  const site = () => join(lab.folder, 'site.yaml');

  beforeAll(async () => {
    cloud = await Cloud.open(given.dependencies);
    lab = await DeliveryLab.open(given.serverBundle);
    host = await cloud.bootEmpty(distribution);
    await host.put('/root/.ssh/authorized_keys', `${lab.client.publicKey}\n`, '0600');
    await lab.leadTo(host);
    // The discard port of the gateway is closed.
    deadMirror = `http://${cloud.network.gateway.v4}:9/debian`;
    siteText = await readFile(site(), 'utf8');
    await writeFile(site(), `${siteText}\nmirrors:\n  apt: ${deadMirror}\n`);
  });
  afterAll(async () => {
    await lab?.close();
    await cloud?.close();
  });

  it('reports that the first boot failed', async () => {
    const { exitCode, stderr } = await install();
    expect(`${exitCode} ${stderr}`).toMatch(/^11 [\s\S]*STAGE_FAILED/);
    expect(await host.output('cat /etc/landfall/site.json')).toContain(deadMirror);
  });

  it('sends a corrected site, says what differs, and brings the server up', async () => {
    await writeFile(site(), siteText);
    const { exitCode, stdout, stderr } = await install();
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('site.yaml has changed:');
    expect(stderr).toContain(
      `mirrors: {"apt":"${deadMirror}","registries":{}} on the server, the default`,
    );
    expect(stdout).toContain(chatName);
    expect(await host.output('cat /etc/landfall/site.json')).not.toContain('mirrors');
  });
});
