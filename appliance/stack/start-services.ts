import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { compose } from './compose.ts';

/** Seconds. The images are present, so only stopping and starting containers takes time. */
const upSeconds = 600;
const attempts = 3;
/**
 * Observed after a restart of Docker: it starts a container again that Compose has just stopped to
 * replace it, and then refuses to remove it. The next attempt finds all containers settled.
 */
const startedAgain = /cannot remove container .*is running/;

/**
 * Creates and starts the containers of the stack, and replaces those with other settings.
 * @throws LandfallError COMMAND_FAILED
 */
export async function startServices(host: Host, releaseFolder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await compose(host, releaseFolder, ['up', '--detach', '--remove-orphans'], {
        seconds: upSeconds,
      });
      return;
    } catch (error) {
      if (attempt === attempts || !isStartedAgain(error)) throw error;
    }
  }
}

function isStartedAgain(error: unknown): boolean {
  return (
    error instanceof LandfallError &&
    error.problems.some(({ message }) => startedAgain.test(message))
  );
}
