import { Host } from '../host/host.ts';
import type { RunCommand } from '../host/run/command.ts';

/** The time limit of the runner of commands without one, in seconds. */
const usual = 120;

/**
 * Returns a host whose programs are killed when the time is over, so that a program that hangs does
 * not outlive the checks.
 * @param seconds from now on
 */
export function boundedHost(root: string, run: RunCommand, seconds: number): Host {
  const end = performance.now() + seconds * 1000;
  return new Host(root, (file, args, options = {}) => {
    const left = Math.max(0.1, (end - performance.now()) / 1000);
    return run(file, args, { ...options, seconds: Math.min(options.seconds ?? usual, left) });
  });
}
