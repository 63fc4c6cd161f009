import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { motdFile, pageFile, statusFile } from '#contract/server-paths.ts';
import { storedStatus } from '../../../../appliance/server/progress/status.ts';
import { Tracker } from '../../../../appliance/server/progress/tracker.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { emptyRelease } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { stageCalled } from '../stage/fixture.ts';
import { foundWarning, warningOf } from '../stage/warning-of.ts';
import { expected } from './page/page-of.ts';

const times = { took: 1200, own: 30 };

function tracked(language: 'en' | 'zh' = 'en') {
  const host = TemporaryHost.with({});
  const changes: string[] = [];
  const tracker = new Tracker(
    host,
    emptyRelease,
    [stageCalled('users'), stageCalled('images')],
    [(status, change) => changes.push(`${change}: ${status.line ?? ''}`)],
    { expected, language },
  );
  // Otherwise it writes its files every few seconds, also after the folder was removed.
  afterThisTest(() => tracker.done());
  return { host, tracker, changes };
}

describe('the status file', () => {
  it('exists from the beginning', async () => {
    const { host, tracker } = tracked();
    await tracker.begin();
    expect(await storedStatus.read(host)).toMatchObject({
      product: 'landfall',
      release: '1.0.0',
      state: 'running',
      stages: [
        { name: 'users', state: 'waiting' },
        { name: 'images', state: 'waiting' },
      ],
    });
  });

  it('updates the status file before the next stage starts', async () => {
    const { host, tracker } = tracked();
    await tracker.started('users');
    expect((await storedStatus.read(host))?.stages[0]).toMatchObject({ state: 'running' });
    await tracker.ended('users', 'applied', times);
    expect((await storedStatus.read(host))?.stages[0]).toMatchObject({
      state: 'applied',
      ...times,
    });
    await tracker.started('images');
    await tracker.ended('images', 'kept', times);
    await tracker.done();
    expect(await storedStatus.read(host)).toMatchObject({
      state: 'done',
      stages: [{}, { state: 'kept' }],
    });
  });

  it('makes the status file world-readable', async () => {
    const { host, tracker } = tracked();
    await tracker.begin();
    expect(statSync(host.path(statusFile)).mode & 0o777).toBe(0o644);
  });

  it('contains error and hint of a failure', async () => {
    const { host, tracker } = tracked();
    await tracker.started('images');
    const error = new LandfallError('IMAGE_MISMATCH', 'images: not what was locked', {
      problems: [{ message: 'ui is another', hint: 'Pull it.' }, { message: '\x1b[2Jchat too' }],
      hint: 'Look.',
    });
    await tracker.failed('images', error);
    expect(await storedStatus.read(host)).toMatchObject({
      state: 'failed',
      stages: [{ state: 'waiting' }, { state: 'failed' }],
      error: {
        code: 'IMAGE_MISMATCH',
        message: 'images: not what was locked',
        problems: ['ui is another (Pull it.)', 'chat too'],
        hint: 'Look.',
        retriable: true,
      },
    });
  });

  it('reads a status file without retriable, as written by older releases', async () => {
    const { host, tracker } = tracked();
    await tracker.failed('images', new LandfallError('USAGE', 'no'));
    const { error, ...status } = JSON.parse(readFileSync(host.path(statusFile), 'utf8'));
    const { retriable: _, ...old } = error;
    writeFileSync(host.path(statusFile), JSON.stringify({ ...status, error: old }));
    expect((await storedStatus.read(host))?.error).toMatchObject({
      code: 'USAGE',
      retriable: true,
    });
  });

  it('ignores a damaged status file', async () => {
    const { host, tracker } = tracked();
    await tracker.begin();
    const text = readFileSync(host.path(statusFile), 'utf8');
    for (const damaged of ['', 'null', text.slice(0, -20), text.replace('running', 'dancing')]) {
      writeFileSync(host.path(statusFile), damaged);
      expect(await storedStatus.read(host)).toBeUndefined();
    }
  });
});

describe('the line of a stage', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Waits until the next scheduled write is complete. */
  async function pause(tracker: Tracker, host: TemporaryHost) {
    vi.advanceTimersByTime(250);
    vi.useRealTimers();
    await vi.waitFor(
      async () => expect((await storedStatus.read(host))?.updated).toBe(tracker.status.updated),
      30_000,
    );
    return await storedStatus.read(host);
  }

  it('writes the line of a stage even directly after another write', async () => {
    const { host, tracker } = tracked();
    await tracker.started('images');
    tracker.say('pulling the engine');
    expect((await pause(tracker, host))?.line).toBe('pulling the engine');
  });

  it('writes the line of a stage as a single line of plain text, limited in length', async () => {
    const { tracker } = tracked();
    tracker.say(`\x1b[31mred\x1b[0m\n${'x'.repeat(5000)}`);
    expect(tracker.status.line).toMatch(/^red x+…$/);
    expect(tracker.status.line).toHaveLength(200);
  });

  it('removes the progress of the previous line', () => {
    const { tracker } = tracked();
    tracker.progress({ done: 1, total: 2, unit: 'images' });
    expect(tracker.status.progress).toEqual({ done: 1, total: 2, unit: 'images' });
    tracker.say('next');
    expect(tracker.status.progress).toBeUndefined();
  });

  it('keeps the file valid after an invalid amount', async () => {
    const { host, tracker } = tracked();
    await tracker.started('images');
    tracker.progress({ done: Number.NaN, total: 10, unit: 'bytes' });
    expect(await pause(tracker, host)).toMatchObject({ state: 'running' });
  });

  it('removes the line of a stage at the end of the stage', async () => {
    const { tracker } = tracked();
    tracker.say('pulling');
    tracker.progress({ done: 1, total: 2, unit: 'images' });
    await tracker.ended('images', 'applied', times);
    expect(tracker.status).not.toHaveProperty('line', 'pulling');
    expect(tracker.status.progress).toBeUndefined();
  });
});

describe('warnings', () => {
  it('reads warnings of older releases, which are strings', async () => {
    const { host, tracker } = tracked();
    await tracker.begin();
    const status = JSON.parse(readFileSync(host.path(statusFile), 'utf8'));
    const newer = { kind: 'of-next-year', subject: 'x', text: 'y' };
    const stored = { ...status, warnings: ['certificate: no record', newer] };
    writeFileSync(host.path(statusFile), JSON.stringify(stored));
    expect((await storedStatus.read(host))?.warnings).toEqual([
      { kind: 'other', subject: '', text: 'certificate: no record' },
      { kind: 'other', subject: 'x', text: 'y' },
    ]);
  });

  it('keeps warnings to the end without duplicates', async () => {
    const { host, tracker } = tracked();
    tracker.warn(foundWarning('no swap could be made'));
    tracker.warn(foundWarning('no swap could be made'));
    tracker.warn(foundWarning('another one'));
    await tracker.ended('users', 'applied', times);
    await tracker.done();
    expect((await storedStatus.read(host))?.warnings).toEqual([
      warningOf('no swap could be made'),
      warningOf('another one'),
    ]);
  });

  it('stores a warning in the language of the site, and prints its line in English', async () => {
    const { host, tracker, changes } = tracked('zh');
    const text = { en: 'the clock was behind', zh: '时钟慢了' };
    tracker.warn({ kind: 'clock', subject: 'system clock', text });
    await tracker.done();
    expect((await storedStatus.read(host))?.warnings).toEqual([
      { kind: 'clock', subject: 'system clock', text: '时钟慢了' },
    ]);
    expect(changes).toContain('line: the clock was behind');
  });

  it('limits the number of warnings', () => {
    const { tracker } = tracked();
    for (let count = 0; count < 1000; count += 1) tracker.warn(foundWarning(`warning ${count}`));
    expect(tracker.status.warnings).toHaveLength(50);
  });
});

describe('page and login message', () => {
  it('writes the login message before the status', async () => {
    const { host, tracker } = tracked();
    const greeting = host.path(motdFile.unfinished);
    mkdirSync(dirname(greeting), { recursive: true });
    // Reading a named pipe blocks until a writer opens it.
    await execa('mkfifo', [greeting]);
    const begun = tracker.begin();
    const pipe = await openedByReader(greeting);
    expect(existsSync(host.path(statusFile))).toBe(false);
    await pipe.close();
    await begun;
    expect(readFileSync(greeting, 'utf8')).toContain('the first boot has reached');
    expect(await storedStatus.read(host)).toMatchObject({ state: 'running' });
  });

  it('follow the status', async () => {
    const { host, tracker } = tracked();
    await tracker.started('images');
    expect(readFileSync(host.path(pageFile), 'utf8')).toContain('This server is being set up');
    expect(readFileSync(host.path(motdFile.unfinished), 'utf8')).toContain('stage 2 of 2, images');
    await tracker.done();
    expect(readFileSync(host.path(pageFile), 'utf8')).toContain('This server is ready');
    expect(existsSync(host.path(motdFile.unfinished))).toBe(false);
  });
});

describe('the elapsed time on the page', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets minutes pass, and waits until the page shows them. */
  async function after(minutes: number, host: TemporaryHost): Promise<void> {
    vi.advanceTimersByTime(minutes * 60_000);
    await vi.waitFor(() => {
      expect(readFileSync(host.path(pageFile), 'utf8')).toContain(`Elapsed: ${minutes} min.`);
    }, 30_000);
  }

  it('advances while a stage reports nothing', async () => {
    const { host, tracker } = tracked();
    await tracker.begin();
    const { updated } = tracker.status;
    await after(7, host);
    expect((await storedStatus.read(host))?.updated).toBe(updated);
  });

  it('stops with the first boot', async () => {
    const { tracker } = tracked();
    await tracker.begin();
    expect(vi.getTimerCount()).toBe(1);
    await tracker.done();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops with a failure', async () => {
    const { tracker } = tracked();
    await tracker.begin();
    await tracker.failed('images', new LandfallError('USAGE', 'no'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** Opens a named pipe for writing once a reader waits. The reader blocks until it is closed. */
async function openedByReader(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
  }
}

describe('a full disk', () => {
  it('does not stop the stages (regression: unhandled rejection)', async () => {
    const { host, tracker, changes } = tracked();
    rmSync(host.root, { recursive: true });
    writeFileSync(host.root, 'not a folder');
    tracker.say('going on');
    await tracker.started('users');
    await tracker.ended('users', 'applied', times);
    await tracker.done();
    expect(changes.at(-1)).toBe('stage: ');
  });
});
