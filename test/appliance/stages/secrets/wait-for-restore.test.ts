import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedMark, restoredFile } from '#contract/server-paths.ts';
import {
  needsRestore,
  waitForRestore,
} from '../../../../appliance/stages/secrets/wait-for-restore.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const from = { kind: 'folder', path: '/mnt/backup' };

/** A server whose site names a backup. */
function waiting(
  files: Readonly<Record<string, string>> = {},
  site: object = { restore: { from } },
) {
  const host = TemporaryHost.with({ [`${dirname(restoredFile)}/state.json`]: '{}', ...files });
  return contextFor(host, { site: { ...site } });
}

describe('the wait of a new server for a backup', () => {
  it('waits until the backup is restored, and says with which command', async () => {
    const context = waiting();
    let pauses = 0;
    await waitForRestore(context, async () => {
      pauses += 1;
      expect(context.said).toEqual([
        'waiting for a backup; restore it on this server: sudo landfall restore',
      ]);
      if (pauses === 3) writeFileSync(context.host.path(restoredFile), '{}');
    });
    expect(pauses).toBe(3);
    expect(context.said.at(-1)).toBe('the backup is restored');
  });

  it('asks for the backup as an input that the status shows', async () => {
    const context = waiting();
    const asked: string[] = [];
    const report = { ...context.report, waitFor: (what: string) => asked.push(what) };
    await waitForRestore({ ...context, report }, async () =>
      writeFileSync(context.host.path(restoredFile), '{}'),
    );
    expect(asked).toEqual(['restore']);
  });

  it('counts the wait as time that the setup does not take', async () => {
    const context = waiting();
    let before = 0;
    await waitForRestore(context, async () => {
      before = performance.now();
      while (performance.now() < before + 5);
      writeFileSync(context.host.path(restoredFile), '{}');
    });
    expect(context.host.outside.total).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ['whose site names no backup', {}, {}],
    ['with a restored backup', { [restoredFile]: '{}' }, { restore: { from } }],
    ['that is installed already', { [installedMark]: '1.0.0\n' }, { restore: { from } }],
  ])('does not wait on a server %s', async (_kind, files, site) => {
    const context = waiting(files, site);
    expect(await needsRestore(context)).toBe(false);
    await waitForRestore(context, () => Promise.reject(new Error('it waits')));
    expect(context.said).toEqual([]);
  });
});
