import { setTimeout } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host.ts';
import { alreadyRunning, isRunLocked, type RunLock, tryRunLock } from './run-lock.ts';

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
  let isFirst = true;
  for (;;) {
    const lock = await tryRunLock(host, 'changes');
    if (lock) return lock;
    if (await isRunLocked(host, 'first-boot')) throw alreadyRunning('first-boot');
    if (performance.now() > end) throw busy();
    if (isFirst) say('Waiting for another landfall command that changes this server.');
    isFirst = false;
    await setTimeout(pollInterval);
  }
}

function busy(): LandfallError {
  return new LandfallError('ALREADY_RUNNING', 'another command is changing this server', {
    hint: 'Wait until it ends, then run this command again.',
  });
}
