import { Host } from '../../server/host/host.ts';
import type { CommandOptions, CommandResult, RunCommand } from '../../server/host/run/command.ts';

/** The time limit of the runner for commands without one, in seconds. */
const defaultSeconds = 120;

/**
 * Returns a host for read-only checks that run concurrently. A program that several of them run with
 * the same arguments runs once. When the time is over, programs are killed, and their callers wait
 * forever: a result that was not awaited must not look like a fault.
 * @param seconds from now on
 */
export function boundedHost(root: string, run: RunCommand, seconds: number): Host {
  const end = performance.now() + seconds * 1000;
  const known = new Map<string, Promise<CommandResult>>();

  async function runBounded(file: string, args: readonly string[], options: CommandOptions) {
    const left = Math.max(0.1, (end - performance.now()) / 1000);
    try {
      return await run(file, args, {
        ...options,
        seconds: Math.min(options.seconds ?? defaultSeconds, left),
      });
    } catch (error) {
      if (performance.now() < end) throw error;
      return await new Promise<CommandResult>(() => {});
    }
  }

  return new Host(root, (file, args, options = {}) => {
    if (options.onLine !== undefined) return runBounded(file, args, options);
    const key = JSON.stringify([file, args, options]);
    const running = known.get(key) ?? runBounded(file, args, options);
    known.set(key, running);
    return running;
  });
}
