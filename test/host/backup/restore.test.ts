import { expect, it } from 'vitest';
import { storeKey } from '../../stand-ins/object-store/object-store.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { useBackupLab } from './backup-lab.ts';
import { startRestore } from './start-restore.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** Deletes the chats, as a mistake in the chat UI does. */
const loseChats = `python3 -c 'import sqlite3
d = sqlite3.connect("/var/lib/docker/volumes/landfall_ui-data/_data/webui.db")
d.execute("DELETE FROM chat"); d.commit()'`;
const all = { chat: true, document: true };

/** The tests depend on their order. */
given.describe(`restored backups of ${distribution}`, () => {
  const lab = useBackupLab(given, distribution, { kind: 's3', isVirtualHost: true });
  const run = (command: string) => lab().run(command, { limit: 600 });
  const found = () => lab().data.found();

  it('brings lost chats back, after a wrong answer', async () => {
    await lab().setUp();
    expect(await lab().backup()).toMatchObject({ exitCode: 0 });
    await lab().output(loseChats);
    expect(await found()).toMatchObject({ chat: false });
    const first = lab().terminal('restore --from 2');
    await first.shows('Type "yes" to restore');
    first.type('y\r');
    await first.shows('Nothing was changed.');
    await first.end();
    // The keys of the bucket were changed since the backup.
    await lab().setSecret('backup-s3-secret', 'changed-since');
    const second = lab().terminal('restore --from 2');
    await second.shows('Type "yes" to restore');
    second.type('yes\r');
    expect(await second.end()).toMatchObject({ status: 0 });
    expect(await found()).toEqual(all);
    const secret = '/etc/landfall/secrets/backup-s3-secret';
    expect(await lab().output(`cat ${secret}`)).toBe('changed-since');
    await lab().setSecret('backup-s3-secret', storeKey.secret);
  });

  it('goes back to the chats of before, and forward again', async () => {
    expect(await run('landfall restore --undo --yes')).toMatchObject({ exitCode: 0 });
    expect(await found()).toMatchObject({ chat: false });
    expect(await run('landfall restore --undo --yes')).toMatchObject({ exitCode: 0 });
    expect(await found()).toEqual(all);
    expect(await lab().output('landfall update history')).toContain('backup restored');
    const copies = await lab().output('ls /var/lib/docker/volumes/landfall_ui-data | wc -l');
    expect(Number(copies)).toBe(3);
  });

  it('brings the backup of a destroyed server to a new one, from SFTP', async () => {
    const password = await lab().password();
    const { premises, keeper } = lab();
    await lab().destroy();
    const fresh = await premises.another({ restore: { from: keeper.target } });
    const restore = await startRestore(given, fresh);
    await restore.shows('The key of this server');
    await keeper.authorise(`restrict ${await publicKey(fresh)}`);
    restore.type('y\r');
    await restore.shows('Password of the backups');
    restore.type('wrong\r');
    await restore.shows('Password again');
    restore.type(`${password.toUpperCase().replaceAll('-', ' ')}\r`);
    await restore.shows('Restore it on this server?');
    restore.type('y\r');
    expect(await restore.end()).toMatchObject({ status: 0 });
    await fresh.comeUp();
    expect(await lab().data.on(fresh.host).found()).toEqual(all);
    const here = (command: string) => fresh.host.run(`${command} 2>&1`, { limit: 300 });
    expect((await here('landfall backup run')).stdout).toContain('--take-over');
    expect(await here('landfall backup run --take-over')).toMatchObject({ exitCode: 0 });
    expect((await here('landfall backup status')).stdout).toContain('not set up');
    await fresh.host.remove();
  });
});

async function publicKey({ host }: Premises): Promise<string> {
  return await host.output('cat /etc/landfall/backup/id_ed25519.pub');
}
