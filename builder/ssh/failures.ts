import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';

interface Failure {
  /** What OpenSSH prints; it has one exit code, 255, for all of its failures. */
  readonly printed: RegExp;
  readonly code: ErrorCode;
  readonly hint: string;
}

const failures: readonly Failure[] = [
  {
    printed: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    code: 'SSH_HOST_KEY',
    hint: 'Compare the fingerprint with the one in the console of your provider. If the server was reinstalled, forget the old key with: ssh-keygen -R <host>',
  },
  {
    printed: /Host key verification failed|host key is known for/i,
    code: 'SSH_HOST_KEY',
    hint: 'Log in once with ssh on a terminal, compare the fingerprint with the one in the console of your provider, and accept it.',
  },
  {
    printed: /Permission denied|Too many authentication failures|no mutual signature/i,
    code: 'SSH_DENIED',
    hint: 'Check the user name, and log in once with ssh and the same key or password. A key in another file needs --identity.',
  },
  {
    printed: /Could not resolve hostname|Name or service not known/i,
    code: 'SSH_UNREACHABLE',
    hint: 'Check the name of the server, or use its address.',
  },
];

/**
 * Returns the error for a connection that `ssh` could not open or that ended.
 * @param printed standard error of `ssh`
 */
export function sshFailure(destination: string, printed: string): LandfallError {
  const failure = failures.find((each) => each.printed.test(printed));
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const why = plainLine(lines.at(-1) ?? 'the connection was closed', 300);
  return new LandfallError(
    failure?.code ?? 'SSH_UNREACHABLE',
    `no SSH connection to ${destination}: ${why}`,
    { hint: failure?.hint ?? 'Check the address, the port and your network, and try again.' },
  );
}
