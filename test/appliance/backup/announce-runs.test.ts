import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { alertsFile, backupStateFile } from '#contract/server-paths.ts';
import { announceRuns } from '../../../appliance/backup/announce-runs.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const created = '2026-11-01T00:00:00.000Z';
const state = { schema: 1, isConfirmed: true, targets: { '/mnt/backup': { created } } };

it('sends an alert once when a target begins to fail, and once when it works again', async () => {
  const host = TemporaryHost.with(
    { [backupStateFile]: JSON.stringify(state) },
    { hostname: 'box' },
  );
  // Its secret is not set, so that messages stay in the queue.
  const { site } = contextFor(host, { site: { alerts: [{ kind: 'ntfy' }] } });
  const failure = new LandfallError('BACKUP_FAILED', 'it does not respond');
  const announce = (result: { failure?: LandfallError }) =>
    announceRuns(host, site, [{ target: '/mnt/backup', ...result }]);
  const queued = () => JSON.parse(readFileSync(host.path(alertsFile), 'utf8')).ntfy.unsent;
  await announce({ failure });
  const [first] = queued();
  expect(first).toMatchObject({ subject: 'backup to /mnt/backup', state: 'failed' });
  await announce({ failure });
  expect(queued()).toEqual([first]);
  await announce({});
  expect(queued()).toMatchObject([{ state: 'working', since: first.since }]);
});
