import { tmpdir } from 'node:os';
import { inTerminal, type TerminalRun } from '../../pty/terminal.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { CloudDependencies } from '../network/cloud.ts';

/**
 * Starts a command of `landfall` as root on the server's console. The mark identifies processes that
 * it leaves behind.
 * @param command its words; a text is split at spaces
 * @param environment variables such as `EDITOR=vi`
 */
export function startOnServer(
  { engine }: CloudDependencies,
  { container }: FastHost,
  command: string | readonly string[],
  environment: readonly string[] = [],
): TerminalRun {
  const variables = ['LANDFALL_TEST_MARK', 'TERM', ...environment].flatMap((each) => [
    ...['--env', each],
  ]);
  const words = typeof command === 'string' ? command.split(' ') : command;
  const exec = ['docker', 'exec', '--interactive', '--tty', ...variables, container.id];
  return inTerminal([...exec, 'landfall', ...words], {
    cwd: tmpdir(),
    env: { DOCKER_HOST: `unix://${engine}` },
    limit: 300_000,
  });
}
