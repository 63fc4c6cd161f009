import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import {
  endUpdate,
  removeLeftovers,
  removePrevious,
} from '../../../../appliance/operations/driver/end-update.ts';
import {
  addToHistory,
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

const [from, to, next] = ['1.0.0', '1.1.0', '1.2.0'];
const plan = {
  changed: [],
  stages: null,
  closes: true,
  limit: 60,
  keepsPrevious: true,
  confirms: false,
};
const reason = { code: 'STACK_UNHEALTHY', message: 'ui does not start', problems: [] };
const ids = {
  update: '11111111-0000-4000-8000-000000000000',
  first: '22222222-0000-4000-8000-000000000000',
  second: '33333333-0000-4000-8000-000000000000',
  unknown: '44444444-0000-4000-8000-000000000000',
};
type Name = keyof typeof ids;
const saved = 'var/lib/landfall/update';
const volumes = 'var/lib/docker/volumes';
const chats = `${volumes}/landfall_ui-data`;
const models = `${volumes}/landfall_engine-data`;
const releases = 'opt/landfall/releases';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.start('ntfy');
});
afterEach(() => receiver.close());

/** A server that was updated from 1.0.0 to 1.1.0. */
async function server() {
  const { target, files } = targetFor('ntfy', receiver.origin);
  const host: TemporaryHost = TemporaryHost.with(
    { ...files, 'etc/hostname': 'vps-1\n' },
    {
      'docker image ls': '',
      'systemctl stop': '',
      'systemd-run': '',
      'docker volume inspect': (line) =>
        JSON.stringify(host.path(volumes, line.split(' ').at(-1) ?? '', '_data')),
    },
  );
  const make = (...paths: readonly string[]) => {
    for (const path of paths) mkdirSync(host.path(path), { recursive: true });
  };
  const addRelease = (version: string) => {
    const folder = `${releases}/${version}-amd64`;
    make(folder);
    const bytes = encodeRelease({ ...makeRelease(tinyFiles), version });
    writeFileSync(host.path(folder, 'release.json'), bytes);
  };
  const copy = (name: Name) => {
    const copied = `${chats}/_data.copy-${ids[name]}`;
    make(copied, `${copied}.sha256`);
    make(`${models}/manifests.copy-${ids[name]}`, `${saved}/${ids[name]}`);
  };
  const { site } = contextFor(host, { site: { alerts: [target] } });
  /** Ends a restore, or an update, which has made its copy. */
  const end = async (name: Name, change: Partial<Transaction> = {}) => {
    copy(name);
    make(`${chats}/_data.failed-${ids[name]}`);
    addRelease(change.to ?? to);
    const fields = { kind: 'restore', from: to, to, manifest: 'a'.repeat(64) } as const;
    const open = newTransaction({ ...fields, source: { urls: [], part: null } });
    const ended = { ...open, state: 'committed', plan, id: ids[name], ...change } as const;
    await endUpdate(host, site, 'amd64', ended);
  };
  const names = (path: string) => readdirSync(host.path(path)).sort();
  /** The updates and restores whose copies are complete. */
  const kept = () => {
    const all = [chats, models, saved].flatMap(names);
    return Object.entries(ids)
      .filter(([, id]) => all.filter((each) => each.includes(id)).length === 4)
      .map(([name]) => name);
  };
  for (const version of [from, to]) addRelease(version);
  make(`${chats}/_data`, `${chats}/_data.backup`, `${models}/_data`, `${saved}/notes`);
  copy('update');
  await addToHistory(host, {
    ...{ at: '2026-01-01T00:00:00.000Z', id: ids.update, kind: 'update', from, to },
    ...{ manifest: 'b'.repeat(64), outcome: 'committed', took: 1, closed: null },
    ...{ keepsPrevious: true, reason: null },
  });
  return { host, make, copy, end, names, kept };
}

describe('the end of a restored backup', () => {
  it('keeps the earlier release, and the copies of before the update and of before the restore', async () => {
    const { host, copy, make, end, kept, names } = await server();
    copy('unknown');
    make(`${chats}/_data.restore`);
    await end('first');
    expect(kept()).toEqual(['update', 'first']);
    expect(names(releases)).toEqual(['1.0.0-amd64', '1.1.0-amd64']);
    expect(names(chats).filter((name) => !name.includes('copy'))).toEqual([
      '_data',
      '_data.backup',
    ]);
    await removePrevious(host, 'amd64');
    expect(names(releases)).toEqual(['1.0.0-amd64', '1.1.0-amd64']);
    expect(releaseBefore(await readHistory(host), to)).toMatchObject({ from, id: ids.update });
  });

  it('keeps the release of a restore that keeps no copy', async () => {
    const { host, end, names } = await server();
    await end('first', { plan: { ...plan, keepsPrevious: false } });
    await removePrevious(host, 'amd64');
    expect(names(releases)).toContain('1.1.0-amd64');
  });

  it('keeps only the copy of before the last restore', async () => {
    const { end, kept } = await server();
    await end('first');
    await end('second');
    expect(kept()).toEqual(['update', 'second']);
  });

  it('keeps the copies of before after a restore that failed, and removes its own', async () => {
    const { end, kept } = await server();
    await end('first');
    await end('second', { state: 'rolled-back', reason });
    expect(kept()).toEqual(['update', 'first']);
  });

  it('drops the copy of before a restore after the next update', async () => {
    const { end, kept, names } = await server();
    await end('first');
    await end('second', { kind: 'update', to: next });
    expect(kept()).toEqual(['second']);
    expect(names(releases)).toEqual(['1.1.0-amd64', '1.2.0-amd64']);
  });

  it('makes a copy of the chats that were swapped in for an undo that failed', async () => {
    const { host, end, kept } = await server();
    await end('first');
    await end('second', { state: 'rolled-back', reason, restoreFrom: ids.first });
    const task = `give-back ${host.path(chats)} ${ids.second}:${ids.first}`;
    expect(host.ran.some((line) => line.endsWith(task))).toBe(true);
    expect(kept()).toEqual(['update', 'first']);
  });

  it('sends an alert that the chats of before are back after a failure', async () => {
    const { end } = await server();
    await end('first', { state: 'rolled-back', reason });
    expect(receiver.accepted).toEqual([
      expect.stringContaining(
        'restoring a backup failed, the earlier chats are back: ui does not start',
      ),
    ]);
  });

  it('sends no alert about a restored backup', async () => {
    const { end } = await server();
    await end('first');
    expect(receiver.accepted).toEqual([]);
  });

  it('removes unknown copies and an interrupted restore before the next one, and nothing else', async () => {
    const { host, make, end, names } = await server();
    await end('first');
    const before = [names(chats), names(saved)];
    make(`${chats}/_data.copy-${ids.unknown}`, `${chats}/_data.restore`);
    make(`${saved}/${ids.unknown}`);
    await removeLeftovers(host, to);
    expect([names(chats), names(saved)]).toEqual(before);
    expect(before[0]).toContain('_data.backup');
    expect(before[1]).toContain('notes');
  });
});
