import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { startOnServer } from '../commands/start-on-server.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { ChatData } from '../updates/chat-data.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** The folder of another disk, and an account for SFTP: it can do nothing else, and see nothing else. */
const targets = [
  { kind: 'folder', path: '/mnt/backup' },
  { kind: 'sftp', host: '127.0.0.1', user: 'keeper', path: '/landfall' },
];
const sftpServer = `
useradd --create-home --home-dir /srv/keeper keeper
mkdir -p /srv/keeper/landfall /srv/keeper/.ssh && chown root:root /srv/keeper
chown keeper /srv/keeper/landfall && chmod 755 /srv/keeper
cat >/etc/ssh/sshd_config.d/00-keeper.conf <<'END'
Match User keeper
  ForceCommand internal-sftp
  ChrootDirectory /srv/keeper
  AuthorizedKeysFile /srv/keeper/.ssh/authorized_keys
  AllowTcpForwarding no
Match all
END
sed -i 's/^AllowUsers .*/& keeper/' /etc/ssh/sshd_config.d/*.conf
systemctl reload ssh`;

/** The tests depend on their order. */
given.describe(`the backups of ${distribution}`, () => {
  let premises: Premises;
  beforeAll(async () => {
    premises = await firstBooted(given, distribution);
    await ChatData.create(premises.host);
    await output(sftpServer);
    await output('mkdir -p /mnt/backup');
    const site = JSON.parse(await output('cat /etc/landfall/site.json'));
    const text = JSON.stringify({ ...site, backup: { to: targets } });
    await premises.host.put('/etc/landfall/site.json', text);
  });
  afterAll(() => premises?.close());
  const output = (command: string) => premises.host.output(command);
  const run = (command: string) => premises.host.run(`${command} 2>&1`, { limit: 300 });
  const terminal = (command: string) => startOnServer(given.dependencies, premises.host, command);
  const status = async () => JSON.parse(await output('landfall backup status --json'));

  it('are missing before they are set up', async () => {
    expect((await run('landfall backup')).stdout).toContain('sudo landfall backup init');
    expect(await run('landfall backup run')).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining('BACKUP_MISSING'),
    });
  });

  it('are set up on a terminal, with the end of the password', async () => {
    const first = terminal('backup init');
    await first.shows('Created the repository at /mnt/backup.');
    await first.shows('The key of this server');
    await output(
      "sed 's/^/restrict /' /etc/landfall/backup/id_ed25519.pub >/srv/keeper/.ssh/authorized_keys",
    );
    first.type('y\r');
    await first.shows('Type the last group');
    first.type(keys.interrupt);
    expect((await first.end()).status).toBe(130);
    expect(await status()).toMatchObject({ isConfirmed: false });
    const second = terminal('backup init');
    await second.shows('Type the last group');
    second.type('wrong\r');
    await second.shows('That is not the last group.');
    const password = (await output('cat /etc/landfall/backup/password')).trim();
    expect(password).toMatch(/^(?:[a-z2-9]{5}-){5}[a-z2-9]{5}$/);
    second.type(`${password.split('-').at(-1)}\r`);
    const { status: code, text } = await second.end();
    expect({ code, text }).toMatchObject({ code: 0 });
    process.stderr.write(text);
    expect(text).toContain(password);
    expect(text).toContain('█');
    expect(await status()).toMatchObject({ isConfirmed: true });
  });

  it('are stored at every target, while the chat is paused for a moment', async () => {
    const { exitCode, stdout } = await run('landfall backup run');
    process.stderr.write(stdout);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    const { targets: states } = await status();
    process.stderr.write(JSON.stringify(states, null, 1));
    for (const { lastGood, lastRun } of states) {
      expect(lastRun.failure).toBeNull();
      expect(lastGood.total).toBeGreaterThan(10_000);
    }
    expect((await run('landfall backup list')).stdout).toMatch(/127\.0\.0\.1[\s\S]*[0-9a-f]{8} /);
    expect(await output('docker inspect -f "{{.State.Paused}}" landfall-ui')).toBe('false');
    expect(await output('ls /var/lib/docker/volumes/landfall_ui-data')).toBe('_data');
    expect((await run('landfall backup check')).stdout).toContain('No damage was found.');
  });

  it('are restored by restic alone, with the password of the person', async () => {
    const command =
      'RESTIC_PASSWORD_FILE=/etc/landfall/backup/password restic -r /mnt/backup restore latest --target /root/back';
    const { stdout } = await run(command);
    process.stderr.write(
      stdout + (await output('cd /root/back/backup; find . -type f | head -60; du -sb ui-data')),
    );
    const query = 'SELECT count(*) FROM chat';
    const python = `import sqlite3; print(sqlite3.connect('/root/back/backup/ui-data/webui.db').execute('${query}').fetchone()[0])`;
    expect(await output(`python3 -c "${python}"`)).toBe('1');
    const file = 'etc/landfall/secrets/WEBUI_SECRET_KEY';
    expect(await output(`cat /root/back/backup/${file}`)).toBe(await output(`cat /${file}`));
  });
});
