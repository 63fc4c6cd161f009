import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  expectOwn,
  listSnapshots,
  serverTag,
} from '../../../../appliance/operations/backup/snapshots.ts';
import { storedBackups, takeOverBackups } from '../../../../appliance/server/records/backups.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { serverWith, snapshot } from '../restore/repository.ts';

const old = 'server-aaaaaaaaaaaa';
const start = Date.parse('2026-11-20T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});
const passHours = (hours: number) => vi.setSystemTime(Date.now() + hours * 3600_000);

/** A server and its repository. @param earlier whether it was restored from the server of the tag `old` */
async function server(earlier = true) {
  const stored: object[] = [];
  const { host, restic } = serverWith(() => stored);
  const state = await storedBackups.read(host);
  if (earlier) {
    await storedBackups.write(host, {
      ...state,
      earlier: { tag: old, hostname: 'old-server', stopped: null },
    });
  }
  const own = await serverTag(host);
  /** Stores a backup. @param hours from now */
  const store = (tags: readonly string[], id: string, hours = 0) => {
    stored.push(snapshot(id, hours, tags));
  };
  return { host, own, store, check: () => expectOwn(restic) };
}

const refusal = (message: string) => ({
  code: 'BACKUP_ACCESS',
  message: expect.stringContaining(message),
});

describe('the backups of the server that this one was restored from', () => {
  const active = refusal('the earlier server old-server made a backup at /mnt/backup');

  it('refuses to store while the earlier server made a backup within 26 hours', async () => {
    const { store, check } = await server();
    store([old], 'aaaa1111');
    passHours(25.9);
    await expect(check()).rejects.toMatchObject({
      ...refusal('made a backup at /mnt/backup 25 h 54 min ago'),
      hint: expect.stringContaining('--take-over'),
    });
  });

  it('accepts a repository in which the earlier server was silent for 26 hours', async () => {
    const { store, check } = await server();
    store([old], 'aaaa1111');
    passHours(26);
    expect(await check()).toMatchObject({ id: 'aaaa1111' });
  });

  it('accepts a repository after it was taken over, until the earlier server writes again', async () => {
    const { host, own, store, check } = await server();
    store([old], 'aaaa1111');
    passHours(1);
    await expect(check()).rejects.toMatchObject(active);
    await takeOverBackups(host);
    expect(await check()).toMatchObject({ id: 'aaaa1111' });
    store([own], 'bbbb2222');
    passHours(24);
    expect(await check()).toMatchObject({ id: 'bbbb2222' });
    store([old], 'cccc3333');
    await expect(check()).rejects.toMatchObject(active);
    store([own], 'dddd4444', 1);
    await expect(check()).rejects.toMatchObject(active);
    passHours(26);
    expect(await check()).toMatchObject({ id: 'dddd4444' });
  });

  it('accepts a repository that was taken over although a backup is of the future', async () => {
    const { host, store, check } = await server();
    store([old], 'aaaa1111', 500);
    await expect(check()).rejects.toMatchObject(active);
    await takeOverBackups(host);
    expect(await check()).toMatchObject({ id: 'aaaa1111' });
  });
});

describe('the backups of another server', () => {
  it.each([
    ['another tag', ['server-bbbbbbbbbbbb']],
    ['no tag', []],
    ['the tag of a release only', ['release-1.0.0']],
  ])('refuses a repository with %s, also after it was taken over', async (_kind, tags) => {
    const { host, own, store, check } = await server();
    store(tags, 'aaaa1111', -1000);
    store([own], 'bbbb2222');
    await takeOverBackups(host);
    await expect(check()).rejects.toMatchObject({
      ...refusal('/mnt/backup has backups of another server: old-server, of 2026-10-09'),
      hint: expect.stringContaining('`backup.to`'),
    });
  });

  it('refuses the backups of any other server on one that was not restored', async () => {
    const { host, store, check } = await server(false);
    store([old], 'aaaa1111', -1000);
    await takeOverBackups(host);
    expect(await storedBackups.read(host)).toMatchObject({ earlier: null });
    await expect(check()).rejects.toMatchObject(refusal('backups of another server'));
  });

  it('accepts the own backups and an empty repository', async () => {
    const { own, store, check } = await server(false);
    expect(await check()).toBeUndefined();
    store([own, 'release-1.0.0'], 'aaaa1111');
    expect(await check()).toMatchObject({ id: 'aaaa1111' });
  });
});

describe('the list of backups', () => {
  it('sorts backups by time in any time zone', async () => {
    const times = ['2026-11-01T01:00:00+02:00', '2026-11-01T00:30:00Z', '2026-10-31T23:30:00Z'];
    const { restic } = serverWith(() =>
      times.map((time, index) => ({ ...snapshot(`aaaa000${index}`, 0, ['release-1.2.0']), time })),
    );
    expect(await listSnapshots(restic)).toEqual(
      [
        ['aaaa0001', '2026-11-01T00:30:00.000Z'],
        ['aaaa0002', '2026-10-31T23:30:00.000Z'],
        ['aaaa0000', '2026-10-31T23:00:00.000Z'],
      ].map(([id, at]) => ({ id, at, hostname: 'old-server', release: '1.2.0', server: null })),
    );
  });

  it.each([
    ['in another form', () => ({})],
    ['with an invalid time', () => [{ ...snapshot('aaaa0000', 0, []), time: 'yesterday' }]],
    ['with an ID that is an option', () => [{ ...snapshot('aaaa0000', 0, []), short_id: '--all' }]],
  ])('rejects a list that restic prints %s', async (_, printed) => {
    const { restic } = serverWith(printed);
    await expect(listSnapshots(restic)).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
      retriable: false,
    });
  });

  it('removes what would control a terminal from names in a repository', async () => {
    const hostile = {
      ...snapshot('aaaa0000', 0, ['release-1\u001b[2J.0']),
      hostname: 'a\u001b]0;b\u0007c\nd',
    };
    const { restic } = serverWith(() => [hostile]);
    const [listed] = await listSnapshots(restic);
    expect(JSON.stringify(listed)).not.toMatch(/\\u00|\\n/);
  });

  it('identifies a server by a tag that does not reveal its machine ID', async () => {
    const [one, two] = ['0123456789abcdef0123456789abcdef', '1123456789abcdef0123456789abcdef'];
    const tagOf = (id: string) => serverTag(TemporaryHost.with({ 'etc/machine-id': `${id}\n` }));
    expect(await tagOf(one)).toMatch(/^server-[0-9a-f]{12}$/);
    expect(await tagOf(one)).toBe(await tagOf(one));
    expect(await tagOf(one)).not.toBe(await tagOf(two));
    expect(await tagOf(one)).not.toContain(one.slice(0, 12));
  });
});
