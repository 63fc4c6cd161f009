import { expect, it } from 'vitest';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { login } from '../../host/sealed/ways-out.ts';

/**
 * Prints the files of /etc and of Docker's command with their permissions, and the rules of nft and
 * ip. The interfaces of Docker change with every restart, so they are not included, and neither is the
 * timer of apt-listchanges, which disables itself after its first run.
 */
const portrait = `
  folders="/etc $(ls -d /root/.docker /home/ops/.docker 2>/dev/null)"
  find $folders -printf '%y %m %U %G %p %l\\n' | grep -v /apt-listchanges.timer | sort
  find $folders -type f -exec sha256sum {} + | sort
  nft --stateless --terse list table inet landfall; ip rule; ip route show dev eth0`;

/** Tests that `landfall route off` restores a server with Docker, byte for byte. */
export function itTurnsTheRouteOff(
  server: () => SealedPremises,
  { password = login.split(':')[1] ?? '', keptIn = 'etc/landfall/site.json' } = {},
): void {
  it('turns the route off and on, byte for byte, with the settings of docker', async () => {
    const { host } = server().premises;
    const settings = '{\n\t"auths": {\n\t\t"r.example": {"auth": "bWU6eA=="}\n\t}\n}';
    await host.output('landfall route off');
    await host.output('install -d -o ops -g ops -m 700 /home/ops/.docker');
    await host.put('/home/ops/.docker/config.json', settings, '0600');
    await host.output('chown ops:ops /home/ops/.docker/config.json');
    const off = await host.output(portrait);
    await host.output('landfall route on');
    const on = await host.output(portrait);
    expect(on).not.toBe(off);
    expect(await host.output('cat /home/ops/.docker/config.json')).toContain('httpsProxy');
    await host.output('landfall route off');
    expect(await host.output(portrait)).toBe(off);
    expect(await host.output('cat /home/ops/.docker/config.json')).toBe(settings);
  }, 600_000);

  it('leaves the password of the proxy only where it was given, for root only', async () => {
    const { host } = server().premises;
    const search = `grep -rlsF ${password} /etc /root /home /run /var/lib/landfall || true`;
    const given = /\/(?:site\.(?:json|yaml)|(?:boot|combined-cloud-config)\.json)$/;
    const found = (await host.output(search)).split('\n');
    const isGiven = (path: string) => given.test(path) || path.startsWith(`/${keptIn}`);
    expect(found.filter((path) => !isGiven(path))).toEqual([]);
    expect(await host.output(search, { user: 'nobody' })).toBe('');
    expect(await host.output('systemctl show docker --property=EnvironmentFiles')).not.toContain(
      'proxy',
    );
  });

  it('turns the route on again', async () => {
    const { host } = server().premises;
    await host.output('landfall route on');
    expect(await host.output('landfall route show')).toMatch(/state +on/);
  });
}
