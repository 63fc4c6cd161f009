import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { connect, createServer, type ListenOptions, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { say as speak } from '#contract/text/language.ts';
import { makeFolder } from '../files.ts';
import type { Host } from '../host.ts';
import { waitingNotices } from '../undo/notice.ts';

const folder = 'run/landfall';

/** What one process at a time may do. A first boot holds `changes` too. */
type RunLockName =
  | 'backup'
  | 'changes'
  | 'first-boot'
  | 'route-test'
  | 'update'
  | 'update-check'
  | 'watch';

export interface RunLock {
  /** Releases the lock. The end of the process releases it too. */
  release(): Promise<void>;
}

/**
 * Takes the lock that prevents concurrent runs on this server.
 * @throws LandfallError ALREADY_RUNNING
 */
export async function takeRunLock(host: Host, name: RunLockName): Promise<RunLock> {
  const lock = await tryRunLock(host, name);
  if (lock) return lock;
  throw await alreadyRunning(host, name);
}

/** An update that is applied holds all three locks. */
async function alreadyRunning(host: Host, name: RunLockName): Promise<LandfallError> {
  if ((await waitingNotices(host)).length > 0) {
    return new LandfallError(
      'ALREADY_RUNNING',
      speak('a change waits for its confirmation', '有更改等待确认'),
      {
        hint: {
          en: 'Log in again and run `sudo landfall confirm`, or wait until the change is undone.',
          zh: '重新登录并运行 `sudo landfall confirm`，或等更改撤销。',
        },
      },
    );
  }
  const isUpdate = name !== 'update-check' && (await isRunLocked(host, 'update'));
  const [what, show] = isUpdate
    ? ['an update', 'sudo landfall update status']
    : [name, 'landfall status --watch'];
  return new LandfallError('ALREADY_RUNNING', `${what} is already running on this server`, {
    hint: {
      en: `Wait until it ends; \`${show}\` shows its progress.`,
      zh: `等它结束；\`${show}\` 显示进度。`,
    },
  });
}

/**
 * Takes a lock, or returns undefined if another process holds it. The lock is a listening socket, so
 * the socket of a killed process does not count as held.
 */
export async function tryRunLock(host: Host, name: RunLockName): Promise<RunLock | undefined> {
  await makeFolder(host, folder);
  const path = socketOf(host, name);
  const server = await takeSocket(path);
  if (!server) return undefined;
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  return {
    release: () => {
      process.off('exit', remove);
      // The path is removed before the socket is closed, because another process would see it as stale.
      remove();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Takes a lock, or returns undefined if another process holds it for longer than the timeout. Milliseconds. */
export async function waitForRunLock(
  host: Host,
  name: RunLockName,
  timeout: number,
): Promise<RunLock | undefined> {
  const end = performance.now() + timeout;
  const interval = Math.max(pollInterval, timeout / 300);
  for (;;) {
    const lock = await tryRunLock(host, name);
    if (lock || performance.now() > end) return lock;
    await setTimeout(interval);
  }
}

/** Reports whether a process holds the lock. Does not need root. */
export async function isRunLocked(host: Host, name: RunLockName): Promise<boolean> {
  return (await socketState(socketOf(host, name))) === 'held';
}

function socketOf(host: Host, name: RunLockName): string {
  return host.path(folder, `${name}.sock`);
}

/** `stale` is the socket of a killed process. */
type SocketState = 'held' | 'stale' | 'absent';

/** Returns whether a process listens on a socket. Does not need root. */
export function socketState(path: string): Promise<SocketState> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket
      .on('connect', () => {
        socket.destroy();
        resolve('held');
      })
      .on('error', (error) => {
        // The backlog of the listening process is full.
        if (codeOf(error) === 'EAGAIN') resolve('held');
        else resolve(codeOf(error) === 'ECONNREFUSED' ? 'stale' : 'absent');
      });
  });
}

/**
 * Listens on a socket, or returns undefined if another process does. Replaces a stale socket.
 * @throws Error of the system, such as EACCES
 */
export async function takeSocket(path: string): Promise<Server | undefined> {
  return (await publish(path)) ?? (await replaceStale(path));
}

/**
 * Only one process at a time may replace a stale socket, because another could remove the new socket of
 * the first. Until it has finished, it holds a name in the abstract namespace, which the kernel frees
 * when the process ends (unix(7)).
 */
async function replaceStale(path: string): Promise<Server | undefined> {
  const turn = await listen({ path: `\0${path}` });
  if (!turn) return undefined;
  try {
    const state = await socketState(path);
    if (state === 'held') return undefined;
    if (state === 'stale') await rm(path);
    return await publish(path);
  } finally {
    turn.close();
  }
}

/**
 * Listens on a socket that every user may connect to, which is how `landfall status` sees a run without
 * root. Returns undefined if the path exists. The socket gets its path last, because between bind and
 * listen it would look stale.
 */
async function publish(path: string): Promise<Server | undefined> {
  const first = `${path}.${randomUUID()}`;
  const server = await listen({ path: first, readableAll: true, writableAll: true });
  try {
    await link(first, path);
    await rm(first);
    return server;
  } catch (error) {
    server?.close();
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Listens without keeping the process alive. Returns undefined if the socket exists. */
function listen(options: ListenOptions): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server
      .once('error', (error) =>
        codeOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error),
      )
      .listen(options, () => resolve(server));
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Longer than a scheduled check of the route, which changes the proxy if necessary. */
const defaultTimeout = 60_000;
const pollInterval = 200;

/**
 * Takes the lock of whatever changes this server. Waits for another command, but not for a first boot.
 * @param say prints the reason for waiting, once
 * @param timeout in milliseconds
 * @throws LandfallError ALREADY_RUNNING
 */
export async function takeChangeLock(
  host: Host,
  say: (line: string) => void,
  timeout = defaultTimeout,
): Promise<RunLock> {
  const end = performance.now() + timeout;
  for (let isFirst = true; ; isFirst = false) {
    const lock = await tryRunLock(host, 'changes');
    if (lock) return lock;
    if (await isRunLocked(host, 'first-boot')) throw await alreadyRunning(host, 'first-boot');
    if (performance.now() > end) throw busy();
    if (isFirst) say(speak(waiting.en, waiting.zh));
    await setTimeout(pollInterval);
  }
}

/**
 * Does something with the lock of whatever changes this server, and releases it. What the work reads and
 * writes back must be read inside: another command may have written it. The reason for waiting goes to standard error.
 * @throws LandfallError ALREADY_RUNNING, and those of the work
 */
export async function withChangeLock<Result>(
  host: Host,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await takeChangeLock(host, (line) => process.stderr.write(`${line}\n`));
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

const waiting = {
  en: 'Waiting for another landfall command that changes this server.',
  zh: '正在等待另一个更改这台服务器的 landfall 命令。',
};

function busy(): LandfallError {
  return new LandfallError(
    'ALREADY_RUNNING',
    speak('another command is changing this server', '另一条命令正在更改这台服务器'),
    {
      hint: {
        en: 'Wait until it ends, then run this command again.',
        zh: '等它结束，再运行这条命令。',
      },
    },
  );
}
