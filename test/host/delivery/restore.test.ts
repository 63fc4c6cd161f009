import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTerminal } from '../../pty/terminal.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { DeliveryLab } from './delivery-lab.ts';

const given = hostNeeds('debian13', 'serverBundle');

const password = 'abcde-fghjk-mnpqr-stuvw-xyz23-45678';
const chatPassword = 'Earlier-server-1!';

/** The manifest of a server without a chat UI, which has no chats. */
const manifest = {
  ...{ schema: 1, created: '2026-11-26T00:00:00.000Z', dataEpoch: 1 },
  release: { product: 'landfall', version: '0.1.0', arch: 'amd64' },
  ...{ revision: null, users: null, chats: null, models: [], leftOut: [] },
};

/** Makes a repository on the server, as on a disk that moved to it. */
const repository = `
apt-get update -qq && apt-get install -qq restic >/dev/null
mkdir -p /mnt/backup /backup/etc/landfall/secrets
echo '${password}' >/root/password
echo '${JSON.stringify(manifest)}' >/backup/manifest.json
echo '${chatPassword}' >/backup/etc/landfall/secrets/WEBUI_ADMIN_PASSWORD
export RESTIC_REPOSITORY=/mnt/backup RESTIC_PASSWORD_FILE=/root/password
restic init && restic backup --tag server-0123456789ab /backup && rm -r /backup`;

given.describe('landfall install --restore, to a fresh debian13', () => {
  let cloud: Cloud;
  let host: FastHost;
  let lab: DeliveryLab;
  beforeAll(async () => {
    cloud = await Cloud.open(given.dependencies);
    lab = await DeliveryLab.open(given.serverBundle);
    host = await cloud.bootEmpty('debian13');
    await host.put('/root/.ssh/authorized_keys', `${lab.client.publicKey}\n`, '0600');
    await lab.leadTo(host);
    await host.output(repository);
    const from = 'restore: { from: { kind: folder, path: /mnt/backup } }\n';
    await appendFile(join(lab.folder, 'site.yaml'), from);
  });
  afterAll(async () => {
    await lab?.close();
    await cloud?.close();
  });

  it('stops at the backup without a terminal, and says what to do', async () => {
    const { exitCode, stdout } = await lab.run(lab.words('install', 'root', '--yes'));
    expect({ exitCode, stdout }).toEqual({
      exitCode: 75,
      stdout: expect.stringContaining('sudo landfall restore'),
    });
    const refused = await lab.run(lab.words('install', 'ops', '--yes', '--restore'));
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--restore') });
  });

  it('restores on the terminal, and goes on to the report', async () => {
    const run = inTerminal(lab.words('install', 'ops', '--yes', '--restore'), { cwd: lab.folder });
    await run.shows('Password of the backups');
    run.type(`${password}\r`);
    await run.shows('Restore it on this server?');
    run.type('y\r');
    const end = await run.end();
    expect(end.text).not.toContain(password);
    expect(end).toMatchObject({ status: 0, text: expect.stringContaining('landfall credentials') });
    const file = '/etc/landfall/secrets/WEBUI_ADMIN_PASSWORD';
    expect((await host.output(`cat ${file}`)).trim()).toBe(chatPassword);
    expect(await host.output('cat /var/lib/landfall/installed')).toContain('0.1.0');
  });
});
