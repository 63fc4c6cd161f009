import { expect, it } from 'vitest';
import type { TerminalRun } from '../../pty/terminal.ts';
import type { Premises } from '../boot/premises.ts';

/** Tests `landfall uninstall` on a server that is not needed afterwards. */
export function itIsUninstalled(
  premises: () => Premises,
  start: (command: string) => TerminalRun,
): void {
  const output = (command: string) => premises().host.output(command);

  it('deletes nothing without the name of the server', async () => {
    const run = start('uninstall --delete-data');
    await run.shows('Type the name of this server');
    run.type('y\r');
    expect((await run.end()).status).toBe(0);
    expect(await output('docker ps --quiet --filter name=landfall- | wc -l')).not.toBe('0');
  });

  it('removes all that Landfall runs, and keeps what protects the server', async () => {
    const name = await output('hostname');
    const run = start('uninstall --delete-data');
    await run.shows(`Type the name of this server, ${name}`);
    run.type(`${name}\r`);
    const { status, text } = await run.end();
    expect({ status, text }).toMatchObject({ status: 0 });
    expect(text).toContain('Landfall has been removed.');
    for (const [what, command] of Object.entries({
      containers: 'docker ps --all --quiet',
      images: 'docker image ls --quiet',
      volumes: 'docker volume ls --quiet',
      networks: 'docker network ls --quiet --filter type=custom',
      units: 'ls /etc/systemd/system | grep landfall || true',
      failed: 'systemctl --failed --plain --no-legend',
      tables: 'nft list tables | grep landfall || true',
      files: 'ls -d /opt/landfall /etc/landfall /var/lib/landfall 2>/dev/null || true',
      command: 'command -v landfall || true',
    }))
      expect([what, await output(command)]).toEqual([what, '']);
    expect(await output('ufw status')).toContain('Status: active');
    expect(await output('sshd -T')).toMatch(/^passwordauthentication no$/m);
    expect(await output('systemctl is-active docker ssh fail2ban')).toBe('active\nactive\nactive');
    expect(await output('sudo -l -U ops')).toContain('ALL');
  });
}
