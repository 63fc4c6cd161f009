import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import type { BackupLab } from './backup-lab.ts';

const folder = '/mnt/backup';

/** Returns the lines under "Restore with restic" of the page. */
async function documentedRestore(): Promise<string> {
  const page = await readFile(new URL('../../../docs/backup.md', import.meta.url), 'utf8');
  return /## Restore with restic[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? 'exit 99';
}

/** Tests backups in a folder and on an SFTP server, on a server whose backups are not set up. The tests depend on their order. */
export function itMakesBackups(lab: () => BackupLab): void {
  const output = (command: string) => lab().output(command);
  const run = (command: string) => lab().run(command);
  const terminal = (command: string) => lab().terminal(command);
  const status = () => lab().status();
  const backup = () => lab().backup();

  it('sets backups up on a terminal, after Ctrl-C and a wrong group', async () => {
    await output(`mkdir -p ${folder}`);
    expect((await run('landfall doctor --json')).stdout).toContain('BACKUP_MISSING');
    const first = terminal('backup init');
    await first.shows(`Created the repository at ${folder}.`);
    await first.shows('The key of this server');
    await lab().authorise();
    first.type('y\r');
    await first.shows('Type the last group');
    first.type(keys.interrupt);
    expect((await first.end()).status).toBe(130);
    expect(await status()).toMatchObject({ isConfirmed: false });
    const second = terminal('backup init');
    await second.shows('Type the last group');
    second.type('wrong\r');
    await second.shows('That is not the last group.');
    const password = await lab().password();
    expect(password).toMatch(/^(?:[a-z2-9]{5}-){5}[a-z2-9]{5}$/);
    second.type(`${password.split('-').at(-1)}\r`);
    const end = await second.end();
    expect(end).toMatchObject({ status: 0 });
    expect(end.text).toContain(password);
    expect(end.text).toContain('█');
    expect(await status()).toMatchObject({ isConfirmed: true });
    expect(await output('landfall report')).not.toContain('landfall backup init');
  });

  it('stores a backup at every target, while the chat is paused for a moment', async () => {
    expect(await backup()).toMatchObject({ exitCode: 0 });
    for (const { lastGood, lastRun } of (await status()).targets) {
      expect(lastRun.failure).toBeNull();
      expect(lastGood.snapshot).toMatch(/^[0-9a-f]{8}$/);
    }
    expect((await run('landfall backup list')).stdout).toContain(lab().sftp);
    expect(await output('docker inspect -f "{{.State.Paused}}" landfall-ui')).toBe('false');
    expect(await output('ls /var/lib/docker/volumes/landfall_ui-data')).toBe('_data');
    expect((await run('landfall backup check')).stdout).toContain('No damage was found.');
    const { stdout } = await run('landfall doctor --json');
    expect(stdout).not.toContain('BACKUP_');
  });

  it('restores the files with restic alone, with the lines of the page', async () => {
    const copied =
      'mkdir /root/away; cd /root/away; cp /etc/landfall/backup/password ~/backup-password';
    await output(`set -e; ${copied}\n${await documentedRestore()}`);
    const back = '/root/away/restored/backup';
    const query = `SELECT count(*) FROM chat WHERE title <> ''`;
    const python = `import sqlite3; print(sqlite3.connect("${back}/ui-data/webui.db").execute("${query}").fetchone()[0])`;
    expect(await output(`python3 -c '${python.replaceAll("'", `'"'"'`)}'`)).toBe('1');
    expect(await output(`cat ${back}/ui-data/uploads/*`)).toBe(
      await output('cat /etc/debian_version'),
    );
    const file = 'etc/landfall/secrets/WEBUI_SECRET_KEY';
    expect(await output(`cat ${back}/${file}`)).toBe(await output(`cat /${file}`));
    const manifest = JSON.parse(await output(`cat ${back}/manifest.json`));
    expect(manifest).toMatchObject({ users: 1, chats: 1, release: { version: '0.1.0' } });
  });

  /** Kills the run as soon as a process of it matches the pattern, which does not match itself. */
  const killAt = (pattern: string) =>
    run(
      `until pgrep -f '${pattern}' >/dev/null; do sleep 0.01; done
       pkill -KILL -f '[l]andfall.mjs backup run'
       systemctl kill --signal=KILL landfall-restic.service landfall-volume-task.service; true`,
    );

  it.each([
    ['while the chat is paused', '[v]olume-task backup-copy'],
    ['while the copy is checked', '[v]olume-task backup-check'],
    ['at the locks of earlier runs', '[r]estic .* unlock'],
    ['while it lists the backups', '[r]estic .* snapshots'],
    ['while it stores', '[r]estic .* backup --json'],
    ['while the repository is checked', '[r]estic .* check$'],
    ['while old backups are removed', '[r]estic .* forget'],
  ])('makes the next backup after a run that is killed %s', async (_when, pattern) => {
    const killed = killAt(pattern);
    expect((await backup()).exitCode).not.toBe(0);
    await killed;
    expect(await backup()).toMatchObject({ exitCode: 0 });
    expect(await output('docker inspect -f "{{.State.Paused}}" landfall-ui')).toBe('false');
  });

  it('names a disk that is not mounted, and stores at the other target', async () => {
    await output(`mv ${folder} ${folder}.away`);
    const { exitCode, stdout } = await backup();
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining(`BACKUP_MISSING: ${folder} does not exist`),
    });
    expect((await run(`ls ${folder}`)).exitCode).not.toBe(0);
    const [first, second] = (await status()).targets;
    expect(first).toMatchObject({ lastRun: { failure: { code: 'BACKUP_MISSING' } } });
    expect(second).toMatchObject({ lastRun: { failure: null } });
    await output(`mv ${folder}.away ${folder}`);
  });

  it('finds a file that the repository has lost', async () => {
    await output(
      `cp -a ${folder} ${folder}.whole; find ${folder}/data -type f | head -1 | xargs rm`,
    );
    const { exitCode, stdout } = await backup();
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining('BACKUP_DAMAGED'),
    });
    await output(`rm -r ${folder}; mv ${folder}.whole ${folder}`);
    expect(await backup()).toMatchObject({ exitCode: 0 });
  });

  it('refuses another password, and backups of another server', async () => {
    await output('cp -a /etc/landfall/backup /root/keys');
    await output('echo another >/etc/landfall/backup/server-key');
    expect((await backup()).stdout).toContain('has another password');
    await output('cp -a /root/keys/. /etc/landfall/backup/; cp /etc/machine-id /root/id');
    await output('tr 0-9a-f a-f0-9 </root/id >/etc/machine-id');
    expect((await backup()).stdout).toContain('has backups of another server');
    await output('cp /root/id /etc/machine-id');
    expect(await backup()).toMatchObject({ exitCode: 0 });
  });
}
