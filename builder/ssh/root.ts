import { LandfallError } from '#contract/errors.ts';
import { formatDestination, shellQuoted } from './arguments.ts';
import { lostCode, type RemoteResult, type SshConnection } from './connection.ts';
import { sshFailure } from './printed.ts';

/** Runs command lines of sh as root. */
export interface RootShell {
  readonly connection: SshConnection;
  /** Returns the command line that runs another one as root. */
  wrap(command: string): string;
  /** @throws LandfallError SSH_UNREACHABLE if the connection is lost */
  run(command: string, input?: string): Promise<RemoteResult>;
}

/**
 * Becomes root: as the login user, or with sudo without a password.
 * @throws LandfallError SSH_DENIED for a user without these rights, SSH_UNREACHABLE
 */
export async function becomeRoot(connection: SshConnection): Promise<RootShell> {
  const name = formatDestination(connection.destination);
  const run = async (command: string, input?: string) => {
    const result = await connection.run(command, input);
    if (result.code === lostCode) throw sshFailure(name, result.stderr);
    return result;
  };
  const { stdout } = await run('id -u; sudo -n id -u 2>/dev/null');
  const [own, withSudo] = stdout.split('\n');
  if (own === '0') return { connection, wrap: (command) => command, run };
  if (withSudo === '0') {
    const wrap = (command: string) => `sudo -n sh -c ${shellQuoted(command)}`;
    return { connection, wrap, run: (command, input) => run(wrap(command), input) };
  }
  throw new LandfallError('SSH_DENIED', `${name} cannot become root`, {
    hint: 'Log in as root, or as a user whose sudo needs no password.',
  });
}
