import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unmet } from './unmet.ts';

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** File that takes what the daemon prints. */
  readonly log: string;
  /** Gives something once the daemon is ready, nothing while it is not. */
  readonly ready: () => Promise<string | undefined>;
}

export interface Daemon {
  /** What `ready` gave. */
  readonly answer: string;
  /** Ends the daemon and waits until it is gone. */
  stop(): Promise<void>;
}

/** A daemon that is a single process of ours. */
export interface DaemonProcess extends Daemon {
  /** Kills it without a warning and waits until it is gone. */
  kill(): Promise<void>;
  /** Resolves when it is gone, for whatever reason. */
  readonly ended: Promise<void>;
}

const startLimit = 120_000;
const stopLimit = 20_000;

/**
 * Starts a program that stays, and waits until it answers. It is out of reach of Ctrl-C, which is
 * ours to handle, and the kernel ends it when this process dies in whatever way.
 * @throws Unmet with its last words when it ends at once or is not ready after 30 s.
 */
export async function startDaemon(options: DaemonOptions): Promise<DaemonProcess> {
  const log = await open(options.log, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', options.command, ...options.args], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  let ended = false;
  const end = new Promise<void>((resolve) => {
    const settle = () => {
      ended = true;
      resolve();
    };
    child.once('exit', settle).once('error', settle);
  });
  const stop = async () => {
    if (ended) return;
    child.kill('SIGTERM');
    const patience = new AbortController();
    await Promise.race([end, sleep(stopLimit, undefined, { signal: patience.signal })]);
    patience.abort();
    if (!ended) child.kill('SIGKILL');
    await end;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await end;
  };
  const answer = await waitFor(options.ready, () => ended);
  if (answer !== undefined) return { answer, stop, kill, ended: end };
  await stop();
  throw new Unmet(`${options.command} does not start: ${await lastWords(options.log)}`);
}

async function waitFor(
  ready: DaemonOptions['ready'],
  hasEnded: () => boolean,
): Promise<string | undefined> {
  const limit = performance.now() + startLimit;
  while (!hasEnded() && performance.now() < limit) {
    const answer = await ready().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(50);
  }
  return undefined;
}

async function lastWords(log: string): Promise<string> {
  return (await readFile(log, 'utf8')).trim().split('\n').slice(-3).join('; ');
}
