import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { endUpdate, removePrevious } from '../../../../appliance/operations/driver/end-update.ts';
import {
  readHistory,
  releaseBefore,
} from '../../../../appliance/operations/transactions/history.ts';
import {
  newTransaction,
  type Transaction,
} from '../../../../appliance/server/records/transaction.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { Receiver, targetFor } from '../../../stand-ins/alert-receivers/receiver.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folderOf = (version: string) => `opt/landfall/releases/${version}-amd64`;
const [from, to] = ['1.0.0', '1.1.0'];
const image = 'landfall.local/ui:of-before';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start('ntfy');
});
afterEach(() => receiver.close());

/** Ends an update of a server with two releases. */
async function end(change: Partial<Transaction>) {
  const { target, files } = targetFor('ntfy', receiver.origin);
  const releases = [from, to].map((version) => [
    `${folderOf(version)}/release.json`,
    Buffer.from(encodeRelease({ ...makeRelease(tinyFiles), version })).toString(),
  ]);
  const host = TemporaryHost.with(
    { ...files, ...Object.fromEntries(releases), 'etc/hostname': 'vps-1\n' },
    {
      ...{ 'docker image ls': `${image}\nother:1\n`, 'docker image rm': '' },
      ...{ 'docker volume inspect': 1, 'docker volume ls': '' },
    },
  );
  const { site } = contextFor(host, { site: { alerts: [target] } });
  const open: Transaction = {
    ...newTransaction({
      ...{ kind: 'update', from, to, manifest: 'a'.repeat(64) },
      source: { urls: [], part: null },
    }),
    ...change,
  };
  await endUpdate(host, site, 'amd64', open);
  return { host, again: () => endUpdate(host, site, 'amd64', open) };
}

const plan = {
  changed: ['ui'],
  stages: null,
  closes: true,
  limit: 60,
  keepsPrevious: true,
  confirms: false,
};
const reason = { code: 'STACK_UNHEALTHY', message: 'ui does not start', problems: [] };

describe('the end of an update', () => {
  it('sends no alert about an update that a person has installed', async () => {
    await end({ state: 'committed', plan });
    expect(receiver.accepted).toEqual([]);
  });

  it('sends an alert about an unattended update, with the pause', async () => {
    const closedAt = new Date(Date.now() - 42_000).toISOString();
    await end({ state: 'committed', plan, unattended: true, closedAt });
    expect(receiver.accepted).toEqual([
      expect.stringMatching(
        /release 1\.1\.0 was installed; the chat was closed for 4[23] s[\s\S]*landfall update history/,
      ),
    ]);
  });

  it('sends an alert about an unattended update that closed nothing', async () => {
    await end({ state: 'committed', plan, unattended: true });
    expect(receiver.accepted[0]).toContain('the chat stayed open');
  });

  it.each([true, false])('sends one alert about a rollback, unattended: %s', async (unattended) => {
    await end({ state: 'rolled-back', plan, unattended, reason });
    expect(receiver.accepted).toEqual([
      expect.stringContaining('update to 1.1.0 failed, 1.0.0 runs again: ui does not start'),
    ]);
  });

  it('sends an alert about a stuck rollback, and removes nothing', async () => {
    const { host } = await end({ state: 'stuck', plan, reason, pass: 'a'.repeat(32) });
    expect(receiver.accepted).toEqual([
      expect.stringMatching(
        /stuck; nothing was deleted; the chat is closed[\s\S]*landfall update resume/,
      ),
    ]);
    expect([from, to].filter((version) => !existsSync(host.path(folderOf(version))))).toEqual([]);
    expect(host.ran.filter((line) => line.startsWith('docker'))).toEqual([]);
    expect(await readHistory(host)).toEqual([]);
  });

  it('keeps the current release, whatever the history says', async () => {
    const { host, again } = await end({ state: 'rolled-back', plan, reason });
    mkdirSync(host.path('opt/landfall/releases/1.2.0-amd64'));
    symlinkSync('releases/1.2.0-amd64', host.path('opt/landfall/current'));
    await again();
    expect(existsSync(host.path('opt/landfall/releases/1.2.0-amd64'))).toBe(true);
  });

  it('keeps the earlier release for a rollback', async () => {
    const { host } = await end({ state: 'committed', plan });
    await removePrevious(host, 'amd64');
    expect(existsSync(host.path(folderOf(from)))).toBe(true);
    expect(releaseBefore(await readHistory(host), to)).toMatchObject({ from });
  });

  it('removes the earlier release without a way back, when its program has ended', async () => {
    const keepsNone = { ...plan, keepsPrevious: false };
    const { host, again } = await end({ state: 'committed', plan: keepsNone });
    await again();
    expect(host.ran).toContain(`docker image rm ${image}`);
    // The program of the driver, which ends now.
    expect(existsSync(host.path(folderOf(from)))).toBe(true);
    await removePrevious(host, 'amd64');
    expect(existsSync(host.path(folderOf(from)))).toBe(false);
    expect(existsSync(host.path(folderOf(to)))).toBe(true);
    expect(await readHistory(host)).toMatchObject([{ to, keepsPrevious: false }]);
    expect(releaseBefore(await readHistory(host), to)).toBeUndefined();
  });

  it('keeps the earlier release after a failure without a way back', async () => {
    const { host } = await end({
      ...{ state: 'rolled-back', reason },
      plan: { ...plan, keepsPrevious: false },
    });
    await removePrevious(host, 'amd64');
    expect(existsSync(host.path(folderOf(from)))).toBe(true);
  });
});
