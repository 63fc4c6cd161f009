import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alertsFile, backupStateFile } from '#contract/server-paths.ts';
import { watchServer } from '../../../appliance/commands/watch.ts';
import { writeText } from '../../../appliance/server/host/files.ts';
import { newTarget } from '../../../appliance/server/records/backups.ts';
import { contextFor } from '../context.ts';
import { withoutSpace, withSpace } from '../disk-settings.ts';
import { TemporaryHost } from '../temporary-host.ts';

function start(files: Readonly<Record<string, string>>) {
  const host = TemporaryHost.with(files, { hostname: 'box' });
  const to = [{ kind: 'folder', path: '/mnt/backup' }];
  // Its secret is not set, so that messages stay in the queue.
  const { site } = contextFor(host, { site: { alerts: [{ kind: 'ntfy' }], backup: { to } } });
  const watch = async (): Promise<Record<string, string>[]> => {
    await watchServer(host, site);
    return JSON.parse(readFileSync(host.path(alertsFile), 'utf8')).ntfy.unsent;
  };
  return { host, watch };
}

it('sends one alert for each time when the disk is low on space', async () => {
  const { host, watch } = start(withoutSpace);
  const [first] = await watch();
  expect(first).toMatchObject({ state: 'notice', command: 'sudo landfall doctor' });
  expect(first?.subject).toMatch(/^low disk space: .* free in \/$/);
  expect((await watch())[0]).toEqual(first);
  const path = 'etc/landfall/disk.json';
  await writeText(host, path, withSpace[path]);
  await watch();
  await writeText(host, path, withoutSpace[path]);
  expect((await watch()).at(-1)?.at).not.toBe(first?.at);
});

it('sends an alert about a backup that is late, once', async () => {
  const state = { ...newTarget(), created: '2026-01-01T00:00:00.000Z' };
  const targets = { '/mnt/backup': state };
  const text = JSON.stringify({ schema: 1, isConfirmed: true, targets });
  const { watch } = start({ ...withSpace, [backupStateFile]: text });
  const [first, ...others] = await watch();
  expect(first).toMatchObject({ subject: 'daily backup to /mnt/backup', state: 'failed' });
  expect(others).toEqual([]);
  expect(await watch()).toEqual([first]);
});
