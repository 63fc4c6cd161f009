import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unmet } from './unmet.ts';

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Log file for the output of the daemon. */
  readonly log: string;
  /** Returns a value once the daemon is ready, undefined before that. */
  readonly ready: () => Promise<string | undefined>;
}

export interface Daemon {
  /** The value of `ready`. */
  readonly answer: string;
  /** Stops the daemon and waits for its end. */
  stop(): Promise<void>;
}

/** A daemon that is a single child process. */
export interface DaemonProcess extends Daemon {
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<void>;
}

const startLimit = 120_000;
const stopLimit = 20_000;

/**
 * Starts a daemon, and waits until it is ready. It is detached from Ctrl-C, which this process
 * handles, and the kernel kills it when this process ends.
 * @throws Unmet with its last output if it ends at once or is not ready after 30 s.
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
    const timer = new AbortController();
    await Promise.race([end, sleep(stopLimit, undefined, { signal: timer.signal })]);
    timer.abort();
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
