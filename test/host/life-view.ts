import { afterAll, expect, it } from 'vitest';
import type { Premises } from './boot/premises.ts';
import { startOnServer } from './commands/start-on-server.ts';
import { UpdateLab } from './commands/update-lab.ts';
import type { CloudDependencies } from './network/cloud.ts';
import { ChatData } from './updates/chat-data.ts';

const folder = '/mnt/backup';

/** Deletes the chats, as a mistake in the chat UI does. */
const loseChats = `python3 -c 'import sqlite3
d = sqlite3.connect("/var/lib/docker/volumes/landfall_ui-data/_data/webui.db")
d.execute("DELETE FROM chat"); d.commit()'`;

/**
 * Tests what changes a finished server of release 0.1.0, and each way back: a site change, a backup, an update. Other
 * files test each of them on Debian in depth; this view shows that they work with the programs of another distribution.
 */
export function itLivesOn(premises: () => Premises, dependencies: CloudDependencies): void {
  let lab: UpdateLab | undefined;
  let data: ChatData;
  afterAll(() => lab?.close());
  const output = (command: string) => premises().host.output(command);
  const run = (command: string) => premises().host.run(`${command} 2>&1`, { limit: 600 });
  const succeeds = async (command: string) =>
    expect(await run(command)).toMatchObject({ exitCode: 0 });
  const all = { chat: true, document: true };

  it('changes the site, and goes back', async () => {
    const open = () => output('ufw status');
    await succeeds("landfall site set firewall.allow '[8443/tcp]' --yes");
    expect(await open()).toContain('8443/tcp');
    await succeeds('landfall site undo --yes');
    expect(await open()).not.toContain('8443/tcp');
  });

  it('restores lost chats from a backup, and goes back and forward again', async () => {
    data = await ChatData.create(premises().host);
    await output(`mkdir -p ${folder}`);
    const to = `{to: [{kind: folder, path: ${folder}}]}`;
    await succeeds(`landfall site set backup '${to}' --yes`);
    const init = startOnServer(dependencies, premises().host, 'backup init');
    await init.shows('Type the last group');
    const password = await output('cat /etc/landfall/backup/password');
    init.type(`${password.trim().split('-').at(-1)}\r`);
    expect(await init.end()).toMatchObject({ status: 0 });
    await succeeds('landfall backup run');
    await output(loseChats);
    expect(await data.found()).toMatchObject({ chat: false });
    await succeeds('landfall restore --yes');
    expect(await data.found()).toEqual(all);
    await succeeds('landfall restore --undo --yes');
    expect(await data.found()).toMatchObject({ chat: false });
    await succeeds('landfall restore --undo --yes');
    expect(await data.found()).toEqual(all);
  });

  it('updates, and goes back with all data', async () => {
    // After the changes of the site: it writes its channel beside site.yaml.
    lab = await UpdateLab.open(premises());
    await lab.addRelease('0.1.0');
    await lab.build('0.2.0', { gateway: true });
    await lab.sign('release');
    const current = () => output('readlink /opt/landfall/current');
    expect(await lab.run('landfall update --yes 2>&1')).toMatchObject({ exitCode: 0 });
    expect(await current()).toBe('releases/0.2.0-amd64');
    expect(await data.found()).toEqual(all);
    expect(await lab.run('landfall update rollback --yes 2>&1')).toMatchObject({ exitCode: 0 });
    expect(await current()).toBe('releases/0.1.0-amd64');
    expect(await data.found()).toEqual(all);
  });
}
