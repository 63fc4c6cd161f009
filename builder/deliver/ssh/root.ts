import { LandfallError } from '#contract/errors.ts';
import { formatDestination, shellQuoted } from './arguments.ts';
import { lostCode, type RemoteResult, type SshConnection } from './connection.ts';
import { lastLines, sshFailure } from './printed.ts';

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
  const { stdout, stderr } = await run(whoCommand);
  const [, own, withSudo] = /^landfall user (\d*):(\d*)$/m.exec(stdout) ?? [];
  if (own === undefined) throw notACommand(name, `${stdout}\n${stderr}`);
  if (own === '0') return { connection, wrap: (command) => command, run };
  if (withSudo === '0') {
    const wrap = (command: string) => `sudo -n sh -c ${shellQuoted(command)}`;
    return { connection, wrap, run: (command, input) => run(wrap(command), input) };
  }
  throw new LandfallError('SSH_DENIED', `${name} cannot become root`, {
    hint: {
      en: 'Log in as root, or as a user whose sudo needs no password.',
      zh: '以 root 登录，或用 sudo 不需要密码的用户登录。',
    },
  });
}

/** Marked, because the shells of some users print a greeting first. */
const whoCommand = 'echo "landfall user $(id -u):$(sudo -n id -u 2>/dev/null)"';

/** Returns the error for a server that answers a command with a text of its own, as clouds do for root. */
function notACommand(name: string, printed: string): LandfallError {
  const problems = lastLines(printed);
  const [, user] = /log ?in as the user "?([a-z_][\w-]{0,31})/i.exec(printed) ?? [];
  const isExpired = /password (?:has )?expired|change (?:your|the) password|password change/i;
  const hint = user
    ? {
        en: `Use that user instead: ${user}@${name.split('@').at(-1)}`,
        zh: `请改用这个用户：${user}@${name.split('@').at(-1)}`,
      }
    : isExpired.test(printed)
      ? {
          en: `Log in once with ssh ${name}, set a new password, and run the command again.`,
          zh: `先用 ssh ${name} 登录一次，设置新密码，再运行这条命令。`,
        }
      : {
          en: `Log in with ssh ${name}, and do what it says.`,
          zh: `用 ssh ${name} 登录，按它的提示操作。`,
        };
  return new LandfallError('SSH_DENIED', `${name} may log in, but not run commands`, {
    ...{ hint, problems },
  });
}
