import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { motdScript } from '#contract/server-paths.ts';
import { setLanguage } from '#contract/text/language.ts';
import { overviewRows } from '../../../../../appliance/commands/daily/show-overview.ts';
import { Host } from '../../../../../appliance/server/host/host.ts';
import { takeRunLock } from '../../../../../appliance/server/host/lock/run-lock.ts';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import {
  announceUndone,
  undoneNotices,
  waitingNotices,
} from '../../../../../appliance/server/host/undo/notice.ts';
import {
  armUndo,
  changeUnderUndo,
  confirm,
} from '../../../../../appliance/server/host/undo/undo.ts';
import { writeMotd } from '../../../../../appliance/server/progress/motd.ts';
import { undoAnswers } from '../../../answers.ts';
import { landfall } from '../../../commands/landfall.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { statusOf } from '../../progress/status-of.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  setLanguage('en');
});

const undo = {
  name: 'door',
  script: 'true\n',
  seconds: 600,
  subject: { en: 'the change of the door', zh: '门的更改' },
};
const script = 'var/lib/landfall/undo/door.sh';
const waiting = 'A change waits for you: `sudo landfall confirm`, until 2026-11-29 01:10 UTC';

/** A server on which a change waits since 01:00. */
async function machine(change: Parameters<typeof armUndo>[1] = undo) {
  vi.useFakeTimers({ now: new Date('2026-11-29T01:00:00Z'), toFake: ['Date'] });
  const host = TemporaryHost.with(
    { 'var/lib/landfall/installed': '1.2.0\n' },
    {
      ...undoAnswers,
      'cat /proc/self/stat': '7 (cat) R 1 7 7 0 -1 0 9 0 0 0 0 0 0 0 20 0 1 0 42 8 1',
      'docker ps': '',
    },
  );
  await armUndo(host, change);
  return { host, endTime: () => execFileSync('sh', [host.path(script)]) };
}

function loginMessage(host: TemporaryHost): string {
  const text = readFileSync(host.path(motdScript), 'utf8');
  const moved = text.replaceAll(/\/(?=run\/|var\/)/g, `${host.root}/`);
  return execFileSync('sh', ['-c', moved], { encoding: 'utf8' });
}

describe('a change that waits for a confirmation', () => {
  it('begins the login message', async () => {
    const { host } = await machine();
    await writeMotd(host, statusOf(undefined), 'en');
    expect(loginMessage(host)).toBe(`\n  ${waiting}\n`);
  });

  it('comes before the output of every command', async () => {
    const { host } = await machine();
    vi.spyOn(Host.prototype, 'path').mockImplementation((...parts: string[]) =>
      join(host.root, ...parts),
    );
    vi.spyOn(console, 'log').mockReturnValue();
    expect((await landfall('report')).stderr).toMatch(new RegExp(`^${waiting}\n\n`));
    expect((await landfall('report', '--json')).stderr).toBe('');
  });

  it('uses the language of the site', async () => {
    setLanguage('zh');
    const { host } = await machine();
    expect(await waitingNotices(host)).toEqual([
      '有更改等待您确认：`sudo landfall confirm`，截止 2026-11-29 01:10 UTC',
    ]);
  });

  it('makes its confirmation the first of the next commands', async () => {
    const { host } = await machine();
    const rows = (await overviewRows(host)).map(({ text }) => text);
    expect(rows.find((row) => row.startsWith('  '))).toContain('sudo landfall confirm');
  });

  it('rejects another change until then', async () => {
    const { host } = await machine();
    const lock = await takeRunLock(host, 'update');
    await expect(takeRunLock(host, 'update')).rejects.toMatchObject({
      code: 'ALREADY_RUNNING',
      message: 'a change waits for its confirmation',
    });
    await lock.release();
  });

  it('ends with its confirmation', async () => {
    const { host } = await machine();
    await confirm(host, 'door');
    expect([await waitingNotices(host), await undoneNotices(host)]).toEqual([[], []]);
  });

  it('stays unsaid if the program confirms it', async () => {
    const { subject: _subject, ...own } = undo;
    const { host } = await machine(own);
    expect(await waitingNotices(host)).toEqual([]);
  });
});

describe('a change that was undone', () => {
  it('appears with its time in the login message and in `landfall`', async () => {
    const { host, endTime } = await machine();
    await writeMotd(host, statusOf(undefined), 'en');
    vi.useRealTimers();
    endTime();
    const undone =
      /^the change of the door was not confirmed; it was undone at \d{4}-\d\d-\d\d \d\d:\d\d \w+$/;
    expect(await waitingNotices(host)).toEqual([]);
    expect((await overviewRows(host))[0]?.text).toMatch(undone);
    expect(loginMessage(host).trim()).toMatch(undone);
  });

  it('appears as being undone while another program undoes it', async () => {
    const { host, endTime } = await machine({ ...undo, undoneLater: true });
    vi.useRealTimers();
    endTime();
    expect(await undoneNotices(host)).toEqual([
      'the change of the door was not confirmed; it is being undone',
    ]);
    await announceUndone(host, undo);
    expect(await undoneNotices(host)).toEqual([
      expect.stringMatching(/^the change of the door was not confirmed; it was undone at \d/),
    ]);
  });

  it('stays unsaid until its script has undone it', async () => {
    const { host, endTime } = await machine({ ...undo, script: 'failed=yes\n' });
    vi.useRealTimers();
    expect(endTime).toThrow();
    expect(await undoneNotices(host)).toEqual([]);
  });

  it('disappears after a day', async () => {
    const { host, endTime } = await machine();
    vi.useRealTimers();
    endTime();
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(host.path('var/lib/landfall/undone/door'), before, before);
    expect(await undoneNotices(host)).toEqual([]);
  });

  it('stays unsaid if the change itself failed', async () => {
    const { host } = await machine();
    const run = host.run.bind(host);
    host.run = (...call) => (call[0] === '/bin/sh' ? runCommand(...call) : run(...call));
    const change = changeUnderUndo(host, undo, () => Promise.reject(new Error('broken')));
    await expect(change).rejects.toThrow('broken');
    expect(await waitingNotices(host)).toEqual([]);
    expect(existsSync(host.path('var/lib/landfall/undone/door'))).toBe(false);
  });
});
