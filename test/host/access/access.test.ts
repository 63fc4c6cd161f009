import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewDevice } from '../../../appliance/commands/access/change.ts';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { openPremises } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { PortState } from '../network/outsider.ts';
import { openPorts } from '../whole-stack/port-sweep.ts';
import { responseOf } from './silent-port.ts';

const site = { access: { mode: 'wireguard' }, hosts: {} };
const url = 'https://10.86.0.1/';
const link = 'phone';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'serverBundle');

  /**
   * The kernel of a test machine may lack WireGuard: `wg-quick` then runs the program `wireguard-go` on the server
   * and on the device. `test/vm` has a kernel with it. The tests depend on their order.
   */
  given.describe(`a server without a public port: ${distribution}`, () => {
    let premises: Premises;
    let status: Status;
    /** A machine of a user, with WireGuard. */
    let device: FastHost;
    let made: NewDevice;
    const seen = new Set<PortState>();

    beforeAll(async () => {
      premises = await openPremises(given, distribution, async () => site);
      device = await premises.cloud.bootEmpty(distribution);
      let isUp = false;
      const watcher = await premises.cloud.outsider();
      const watched = (async () => {
        while (!isUp) {
          const ports = await watcher.ports(premises.host.addresses.v4, [80, 443]);
          for (const state of Object.values(ports)) seen.add(state);
          await sleep(2000);
        }
      })();
      try {
        status = await premises.comeUp();
      } finally {
        isUp = true;
        await watched;
      }
      await device.output('apt-get -q update && apt-get -qy install wireguard-tools curl');
    });
    afterAll(() => premises?.close());

    const run = (command: string) => premises.host.run(command);
    const output = (command: string) => premises.host.output(command);
    const chat = async (options = '--insecure') =>
      await device.run(`curl -sS -m 20 -o /dev/null -w '%{http_code}' ${options} ${url}`);
    const connect = async (configuration: string) => {
      await device.run(`wg-quick down ${link}`);
      await device.put(`/etc/wireguard/${link}.conf`, configuration, '0600');
      await device.output(`wg-quick up ${link}`);
    };

    it('opens no other port during the first boot', () => {
      expect(status.stages.map(({ state }) => state)).not.toContain('failed');
      expect([...seen]).not.toContain('open');
    });

    it.each(['v4', 'v6'] as const)(
      'shows only SSH to a scan of all ports over IP%s',
      async (family) => {
        const stranger = await premises.cloud.outsider();
        expect(await openPorts(stranger, premises.host.addresses[family])).toEqual([22]);
      },
    );

    it.each(['v4', 'v6'] as const)(
      'answers nothing without a key at the port of WireGuard over IP%s',
      async (family) => {
        const stranger = await premises.cloud.outsider();
        const address = premises.host.addresses[family];
        expect(await responseOf(stranger, address, 51820)).toBe('silent');
        // As a port that is closed.
        expect(await responseOf(stranger, address, 51821)).toBe('silent');
      },
    );

    it('names the next step in the report', async () => {
      const report = await output('landfall report');
      expect(report).toContain(url);
      expect(report).toContain('sudo landfall access add phone');
    });

    it('lets a device in with the printed configuration, to SSH and the gateway', async () => {
      made = JSON.parse(await output('landfall access add laptop --json'));
      await connect(made.configuration);
      expect(await chat()).toMatchObject({ exitCode: 0, stdout: '200' });
      expect(await openPorts(device, '10.86.0.1')).toEqual([22, 80, 443]);
      expect(await output('landfall access')).toMatch(/^laptop +10\.86\.0\.128 .* connected /m);
    });

    it('serves a certificate that a device trusts once it has the root certificate', async () => {
      const root = 'http://10.86.0.1/.well-known/landfall/authority.crt';
      expect((await chat('')).exitCode).toBe(60);
      await device.output(
        `curl -fsS -o /usr/local/share/ca-certificates/landfall.crt ${root} && update-ca-certificates`,
      );
      expect(await chat('')).toMatchObject({ exitCode: 0, stdout: '200' });
      expect(await output('landfall tls status')).toContain(root);
    });

    it('stores the private key of a device nowhere', async () => {
      const key = /^PrivateKey = (.*)$/m.exec(made.configuration)?.[1] ?? '';
      const find = (text: string) =>
        run(`grep -rlF -e '${text}' /etc /var/lib/landfall /var/log /run /root /home /tmp`);
      expect(key).toMatch(/^\S{44}$/);
      expect((await find(key)).stdout).toBe('');
      expect((await run(`journalctl --no-pager | grep -cF -e '${key}'`)).stdout.trim()).toBe('0');
      // The search finds what is there.
      const own = await output('cat /etc/landfall/access/key');
      expect((await find(own)).stdout).toContain('/etc/wireguard/wg-access.conf');
    });

    it('shows a QR code on a terminal', async () => {
      const typed = await output("script -qec 'landfall access add tv' /dev/null");
      expect(typed).toMatch(/[▀▄█]{10}/);
      expect(typed).toContain('AllowedIPs = 10.86.0.1/32');
      await output('landfall access remove tv --yes');
    });

    it('drops packets for the tunnel from a neighbour, also with an address of a device', async () => {
      const neighbour = await premises.cloud.outsider();
      await neighbour.routeThrough('10.86.0.0/24', premises.host.addresses.v4);
      const states = await neighbour.ports('10.86.0.1', [80, 443]);
      expect(Object.values(states)).toEqual(['filtered', 'filtered']);
      await neighbour.run('ip address add 10.86.0.200/32 dev eth0');
      await neighbour.run(
        `ip route replace 10.86.0.1 via ${premises.host.addresses.v4} src 10.86.0.200`,
      );
      const forged = await neighbour.ports('10.86.0.1', [80, 443]);
      expect(Object.values(forged)).toEqual(['filtered', 'filtered']);
    });

    it('leaves nothing to do, and passes its own tests', async () => {
      const plan: Array<{ name: string; todo: string[] }> = JSON.parse(
        await output('landfall plan --json'),
      );
      // Other servers of the test machine set the same sysctls.
      const todo = plan.flatMap((stage) => (stage.name === 'kernel' ? [] : stage.todo));
      expect(todo).toEqual([]);
      expect(await run('landfall smoke')).toMatchObject({ exitCode: 0 });
      expect(await output('landfall firewall list')).toContain('51820/udp');
      expect(await output('landfall status')).toContain('access: WireGuard, 1 device');
    });

    it('serves its device again after a restart of the server', async () => {
      await premises.host.reboot();
      await premises.host.waitFor(`curl -skf -o /dev/null ${url}`, 300);
      await device.waitFor(`curl -sf -m 5 -o /dev/null ${url}`, 120);
      const stranger = await premises.cloud.outsider();
      expect(await openPorts(stranger, premises.host.addresses.v4)).toEqual([22]);
    });

    it('finds that WireGuard is down, and starts it again', async () => {
      await output('systemctl stop wg-quick@wg-access');
      const found = await run('landfall doctor');
      expect(found.stdout).toContain('ACCESS_DOWN');
      await run('landfall doctor --fix --yes');
      expect(await output('systemctl is-active wg-quick@wg-access')).toBe('active');
      await device.waitFor(`curl -sf -m 5 -o /dev/null ${url}`, 120);
    });

    it('becomes public without the tunnel, and goes back', async () => {
      await output('landfall site remove access --yes');
      const { v4 } = premises.host.addresses;
      const stranger = await premises.cloud.outsider();
      expect(await openPorts(stranger, v4)).toEqual([22, 80, 443]);
      expect((await run('ip link show wg-access')).exitCode).not.toBe(0);
      await output('landfall site undo --yes');
      expect(await openPorts(await premises.cloud.outsider(), v4)).toEqual([22]);
      await device.waitFor(`curl -sf -m 5 -o /dev/null ${url}`, 120);
    });

    it('ends the access of a device that is removed', async () => {
      await output('landfall access remove laptop --yes');
      expect((await chat()).stdout).toBe('000');
      expect(await output('landfall access')).toContain('No devices yet');
    });
  });
}
