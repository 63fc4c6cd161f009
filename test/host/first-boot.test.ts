import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../appliance/progress/status.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { distributions } from './distributions.ts';
import { hostNeeds } from './host-needs.ts';
import type { PortState } from './outsider.ts';
import { Premises } from './premises.ts';

/** Those that shall answer, and those that something on the server listens on or could. */
const wanted = [22, 80, 443];
const others = [
  21, 25, 53, 111, 1080, 2375, 2376, 3000, 3001, 3210, 3389, 5000, 5432, 6379, 8000,
].concat([8080, 8888, 9000, 9090, 9323, 11434, 18080]);

for (const distribution of distributions()) {
  const given = hostNeeds(distribution, 'stackRegistry', 'composePlugin');

  given.describe(`the first boot of a fresh ${distribution}`, () => {
    let premises: Premises;
    let status: Status;

    beforeAll(async () => {
      premises = await Premises.open({
        parts: given.parts,
        distribution,
        registry: given.stackRegistry,
        plugin: given.composePlugin,
        folder: join(await workFolder(), 'bundle'),
        site: { hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } },
      });
      status = await premises.comeUp();
    });
    afterAll(() => premises?.close());

    const run = (command: string) => premises.host.run(command);
    const output = (command: string) => premises.host.output(command);

    it('ends with every stage done, and says so', async () => {
      expect(status.stages.map(({ state }) => state)).not.toContain('failed');
      expect(
        await output('systemctl is-active landfall-boot; ls /var/lib/landfall/installed'),
      ).toBe('active\n/var/lib/landfall/installed');
      console.log(await output('cat /var/lib/landfall/report.txt'));
    });

    it('leaves no service behind that failed', async () => {
      expect(await output('systemctl --failed --plain --no-legend')).toBe('');
    });

    describe('seen from outside', () => {
      itSeesOnlyWhatIsOpen();

      it('lets the owner in with the key, who may become root', async () => {
        const ran = await premises.asOwner('id -un && sudo -n id -un');
        expect(ran).toMatchObject({ exitCode: 0, stdout: 'ops\nroot\n' });
      });

      it.each(['root', 'ops'])('takes no password from %s', async (user) => {
        const login = { user, host: premises.host.addresses.v4, with: { password: 'letmein' } };
        const ran = await premises.owner.ssh(login);
        expect(ran).toMatchObject({ exitCode: 255 });
        expect(ran.stderr).toContain('Permission denied (publickey)');
      });

      it('does not let root in with the key either', async () => {
        const ran = await premises.owner.ssh({ user: 'root', host: premises.host.addresses.v6 });
        expect(ran).toMatchObject({ exitCode: 255 });
      });

      it('shows the chat behind TLS, under its name', async () => {
        const page = await premises.owner.fetch('https://chat.example.com/');
        expect(page.status).toBe(200);
      });

      it('does not reach a container by routing to its address', async () => {
        const address = await output(
          `docker inspect --format '{{range .NetworkSettings.Networks}}{{println .IPAddress}}{{end}}' landfall-gateway`,
        );
        for (const container of address.split('\n').filter(Boolean)) {
          const subnet = container.replace(/\d+$/, '0/24');
          await premises.owner.routeThrough(subnet, premises.host.addresses.v4);
          const seen = await premises.owner.ports(container, [80, 443, 8080, 8443]);
          expect(Object.values(seen)).not.toContain('open');
        }
      });
    });

    describe('the firewall', () => {
      it('is the one that people know', async () => {
        const text = await output('ufw status verbose');
        expect(text).toContain('Status: active');
        expect(text).toMatch(/Default: deny \(incoming\)/);
        for (const port of ['80/tcp', '443/tcp'])
          expect(text).toMatch(new RegExp(`${port}.*ALLOW`));
        expect(text).toMatch(/(22\/tcp|OpenSSH).*LIMIT/);
      });
    });

    describe('a container', () => {
      it('does not reach the metadata address, which the server itself does', async () => {
        await premises.owner.run('ip address add 169.254.169.254/32 dev eth0');
        await premises.owner.run('setsid python3 -m http.server 80 >/dev/null 2>&1 &');
        await output('ip route replace 169.254.169.254/32 dev eth0');
        await premises.host.waitFor('curl -so /dev/null -m 2 http://169.254.169.254/', 20);
        for (const name of ['landfall-gateway', 'landfall-engine', 'landfall-ui']) {
          const ran = await run(`docker exec ${name} wget -q -O- -T 3 http://169.254.169.254/`);
          expect({ name, exitCode: ran.exitCode }).not.toMatchObject({ exitCode: 0 });
        }
      });
    });

    describe('after the engine restarted', () => {
      beforeAll(async () => {
        await output('systemctl restart docker');
        await healthy(premises);
      });
      itSeesOnlyWhatIsOpen();
    });

    describe('after a reboot', () => {
      beforeAll(async () => {
        await premises.host.reboot();
        await premises.host.waitFor(
          'systemctl is-system-running --wait | grep -E "running|degraded"',
        );
        await healthy(premises);
      });
      itSeesOnlyWhatIsOpen();

      it('has every service up again', async () => {
        expect(await output('systemctl --failed --plain --no-legend')).toBe('');
        const page = await premises.owner.fetch('https://chat.example.com/');
        expect(page.status).toBe(200);
      });
    });

    function itSeesOnlyWhatIsOpen(): void {
      it.each(['v4', 'v6'] as const)(
        'sees SSH, HTTP and HTTPS and nothing else over IP%s',
        async (family) => {
          const address = premises.host.addresses[family];
          const seen = await premises.owner.ports(address, [...wanted, ...others]);
          expect(openOnes(seen)).toEqual(wanted);
        },
      );
    }
  });
}

function openOnes(seen: Record<number, PortState>): number[] {
  return Object.entries(seen)
    .filter(([, state]) => state === 'open')
    .map(([port]) => Number(port));
}

async function healthy({ host }: Premises): Promise<void> {
  await host.waitFor(
    'curl -skf -o /dev/null --resolve chat.example.com:443:127.0.0.1 https://chat.example.com/',
    180,
  );
}
