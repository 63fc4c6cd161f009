import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { inTerminal, keys } from '../../pty/terminal.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { DeliveryLab } from './delivery-lab.ts';
import { SshClient } from './ssh-client.ts';

const portrait = 'find /etc /opt /root /usr/local -type f -exec sha256sum {} + | sort | sha256sum';
const password = 'initial-password';

/** Tests what `landfall install` refuses, on a fresh server that accepts root with the lab's key. */
export function itRefusesToInstall(lab: () => DeliveryLab, host: () => FastHost): void {
  let untouched: string;

  const install = (...more: string[]) => lab().run(lab().words('install', 'root', ...more));

  beforeAll(async () => {
    await host().put(
      '/etc/ssh/sshd_config.d/10-open.conf',
      'PermitRootLogin yes\nPasswordAuthentication yes\n',
    );
    await host().output(['chpasswd'], { input: `root:${password}\n` });
    await host().output('systemctl reload ssh');
    await lab().leadTo(host());
    untouched = await host().output(portrait);
  });

  /** Runs an installation that is refused, with its standard error. */
  const refused = async (...more: string[]) => {
    const { exitCode, stderr } = await install(...more);
    expect(await host().output(portrait)).toBe(untouched);
    return `${exitCode} ${stderr}`;
  };

  it('prints the changes, and wants an answer', async () => {
    const text = await refused();
    expect(text).toMatch(/^2 [\s\S]*Docker with engine[\s\S]*Add --yes/);
    expect(text).toContain('no passwords and no login as root any more');
  });

  it('asks on a terminal, after the password, and takes no for an answer', async () => {
    const { config } = await SshClient.create(await mkdtemp(join(lab().folder, 'stranger-')));
    const words = lab().words('install', 'root', '--ssh-config', config);
    const run = inTerminal(words, { cwd: lab().folder });
    await run.shows("root@127.0.0.1's password:");
    run.type(`${password}${keys.enter}`);
    await run.shows('Set up this server?');
    run.type(`${keys.down}${keys.enter}`);
    const { status, text } = await run.end();
    expect(text).toContain('Nothing was changed');
    expect(status).toBe(2);
    expect(await host().output(portrait)).toBe(untouched);
  });

  it('lists a foreign program on port 80, and containers', async () => {
    await host().output('systemd-run --unit=other python3 -m http.server 80');
    await host().waitFor('curl -sf -o /dev/null http://127.0.0.1/');
    await host().put('/usr/bin/docker', '#!/bin/sh\necho my-database\n', '0755');
    const text = await refused('--yes');
    await host().output('systemctl stop other; rm /usr/bin/docker');
    expect(text).toMatch(/^11 [\s\S]*SERVER_UNFIT/);
    expect(text).toContain('port 80 is already used by python3');
    expect(text).toContain('other containers are running: my-database');
  });

  it('names a disk that is too small', async () => {
    await host().put('/usr/local/sbin/df', '#!/bin/sh\necho 1000000000\n', '0755');
    const { exitCode, stderr } = await install('--yes');
    await host().output('rm /usr/local/sbin/df');
    expect(`${exitCode} ${stderr}`).toMatch(/^11 [\s\S]*not enough disk space: [\s\S]*needed/);
    expect(await host().output(portrait)).toBe(untouched);
  });

  it('names an unsupported distribution', async () => {
    await host().output(
      'cp /etc/os-release /tmp/os-release; sed -i --follow-symlinks s/^ID=.*/ID=mint/ /etc/os-release',
    );
    const { exitCode, stderr } = await install('--yes');
    await host().output('cat /tmp/os-release >/etc/os-release');
    expect(`${exitCode} ${stderr}`).toMatch(/^11 [\s\S]*unsupported distribution: mint/);
    expect(await host().output(portrait)).toBe(untouched);
  });

  it('works through a jump host', async () => {
    const jump = lab().words('install', 'root')[3] ?? '';
    const words = lab().words('install', 'root', '--jump', jump).with(3, 'root@127.0.0.1');
    const { exitCode, stderr } = await lab().run(words);
    expect(`${exitCode} ${stderr}`).toMatch(/^2 [\s\S]*Docker with engine/);
  });

  it('works through a SOCKS5 proxy', async () => {
    const { v4 } = host().addresses;
    const socks = await SocksProxy.start({ names: { [v4]: v4 } });
    const proxy = ['--ssh-proxy', `socks5h://${socks.host}`];
    const words = lab()
      .words('install', 'root', ...proxy)
      .with(3, `root@${v4}`);
    const { exitCode, stderr } = await lab().run(words);
    await socks.close();
    expect(`${exitCode} ${stderr}`).toMatch(/^2 [\s\S]*Docker with engine/);
    expect(socks.asked).toEqual([`${v4}:22`]);
  });

  it('refuses a server with another host key than before', async () => {
    await host().output(
      'mkdir /tmp/keys && mv /etc/ssh/ssh_host_* /tmp/keys/ && ssh-keygen -A && systemctl restart ssh',
    );
    const { exitCode, stderr } = await install('--yes');
    await host().output('mv -f /tmp/keys/* /etc/ssh/ && systemctl restart ssh');
    expect(`${exitCode} ${stderr}`).toMatch(/^13 [\s\S]*REMOTE HOST IDENTIFICATION HAS CHANGED/);
    expect(stderr).toContain('ssh-keygen -R');
    expect(await host().output(portrait)).toBe(untouched);
  });
}
