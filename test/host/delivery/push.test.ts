import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTerminal, keys } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { chatName, chatSite } from '../boot/first-booted.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { DeliveryLab } from './delivery-lab.ts';
import { itPushesUpdates } from './push-update-view.ts';

/** Bytes after which a connection is cut, spread over the bundle: deterministic, in no order. */
const cuts = Array.from({ length: 20 }, (_, index) => 3e4 + ((index * 7_919) % 20) * 5e5);

const distribution = 'debian13';
const given = hostNeeds('debian13', 'serverBundle');

given.describe(`landfall push, to a ${distribution} that waits for its bundle`, () => {
  let cloud: Cloud;
  let host: FastHost;
  let lab: DeliveryLab;
  let bundle: HostBundle;

  beforeAll(async () => {
    // No name of the Internet resolves; packages come from a mirror in the network.
    cloud = await Cloud.open(given.dependencies, { sealed: true });
    lab = await DeliveryLab.open(given.serverBundle);
    bundle = await HostBundle.copy(given.serverBundle, await workFolder());
    const mirrors = {
      apt: `${cloud.packages}/debian`,
      apt_security: `${cloud.packages}/debian-security`,
    };
    const admin = { ssh_keys: [lab.client.publicKey] };
    const userData = await bundle.userData({ release: 'push', ...chatSite, mirrors, admin });
    host = await cloud.boot({ distribution, userData });
    await host.cloudInit();
    // The mirror is in the same network. Everything else would need a route.
    await host.output('ip route del default; ip -6 route del default');
  });
  afterAll(async () => {
    await lab?.close();
    await cloud?.close();
  });

  it('does nothing but wait, and says so on its console', async () => {
    expect((await host.run('systemctl is-enabled landfall-boot')).stdout.trim()).toBe('disabled');
    expect(await host.output('ls /opt/landfall')).toBe('boot');
    expect(await host.output('cat /etc/issue.d/landfall.issue')).toContain('landfall push');
  });

  it('stops with Ctrl-C, and can go on later', async () => {
    await lab.leadTo(host);
    const run = inTerminal(lab.words('push', 'debian'), { cwd: lab.folder });
    await run.shows('sending');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('comes up through twenty cuts', async () => {
    const proxy = await lab.leadTo(host, cuts);
    const { exitCode, stdout, stderr } = await lab.run(lab.words('push', 'debian'));
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expect(proxy.cuts).toBe(cuts.length);
    expect(stdout).toContain(chatName);
    expect(await host.output('ls /etc/issue.d')).toBe('');
    expect(await host.output('ip route show default; ip -6 route show default')).toBe('');
  });

  describe('then with --update', () => itPushesUpdates(() => ({ cloud, host, lab, bundle })));
});
