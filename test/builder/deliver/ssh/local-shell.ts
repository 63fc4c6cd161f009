import { spawnSync } from 'node:child_process';
import type { SshConnection } from '../../../../builder/deliver/ssh/connection.ts';
import type { RootShell } from '../../../../builder/deliver/ssh/root.ts';

/** Runs the command lines for a server with sh here, with these programs first on the PATH. */
export function localShell(programs = '/nonexistent'): RootShell {
  return {
    connection: {} as SshConnection,
    wrap: (command) => command,
    async run(command, input = '') {
      const env = { PATH: `${programs}:${process.env.PATH}` };
      const ran = spawnSync('sh', ['-c', command], { input, env, encoding: 'utf8' });
      return { code: ran.status ?? 255, stdout: ran.stdout, stderr: ran.stderr };
    },
  };
}
