import { tmpdir } from 'node:os';
import { inTerminal, type TerminalRun } from '../../pty/terminal.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { CloudDependencies } from '../network/cloud.ts';

/**
 * Starts a command of `landfall` as root on the server's console. The mark identifies processes that
 * it leaves behind.
 */
export function startOnServer(
  { engine }: CloudDependencies,
  { container }: FastHost,
  command: string,
): TerminalRun {
  const variables = ['--env', 'LANDFALL_TEST_MARK', '--env', 'TERM'];
  const exec = ['docker', 'exec', '--interactive', '--tty', ...variables, container.id];
  return inTerminal([...exec, 'landfall', ...command.split(' ')], {
    cwd: tmpdir(),
    env: { DOCKER_HOST: `unix://${engine}` },
    limit: 300_000,
  });
}
