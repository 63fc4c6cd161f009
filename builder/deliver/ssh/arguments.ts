import { LandfallError } from '#contract/errors.ts';

/** How to reach a server, beyond ~/.ssh/config. */
export interface SshOptions {
  /** Private key file. */
  readonly identity?: string | undefined;
  /** Jump hosts, as `ssh -J` takes them. */
  readonly jump?: string | undefined;
  /** Configuration file instead of ~/.ssh/config. */
  readonly config?: string | undefined;
  /** URL of an HTTP or SOCKS5 proxy. */
  readonly proxy?: string | undefined;
  /** Whether ssh may ask for a password, a passphrase or the acceptance of a host key. */
  readonly interactive: boolean;
}

/** Seconds after which a silent connection counts as lost: three unanswered messages. */
const alive = ['-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3'];

/** This program as a ProxyCommand. ssh replaces %h and %p, and %% by a percent sign. */
const proxyCommand = [process.execPath, process.argv[1] ?? '']
  .map((word) => shellQuoted(word).replaceAll('%', '%%'))
  .concat('ssh-through-proxy %h %p')
  .join(' ');

/** Returns the arguments of `ssh` that select the server and the way to it. */
export function sshArguments(
  { host, user, port }: Destination,
  { identity, jump, config, proxy, interactive }: SshOptions,
): string[] {
  return [
    ...(config === undefined ? [] : ['-F', config]),
    ...(identity === undefined ? [] : ['-i', identity]),
    ...(jump === undefined ? [] : ['-J', jump]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', `${port}`]),
    ...(interactive ? [] : ['-o', 'BatchMode=yes']),
    ...(proxy === undefined ? [] : ['-o', `ProxyCommand=${proxyCommand}`]),
    ...alive,
    ...['-o', 'ConnectTimeout=20'],
    ...['--', host],
  ];
}

/** Quotes an argument for the shell of the server: sh, bash, zsh and fish read it alike. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A server as `ssh` names it: an address, a host name, or an alias of ~/.ssh/config. */
export interface Destination {
  readonly host: string;
  /** Undefined: the user of ~/.ssh/config, else the local one. */
  readonly user: string | undefined;
  readonly port: number | undefined;
}

const plain =
  /^(?:(?<user>[^@\s/:-][^@\s/:]*)@)?(?<host>\[[0-9a-fA-F:.%\w]+\]|[^@\s/:[\]-][^@\s/:[\]]*)$/;
const url = /^ssh:\/\/(?<rest>[^/]+?)(?::(?<port>\d{1,5}))?\/?$/;

/**
 * Parses `user@host`, `host`, `user@[2001:db8::1]` or `ssh://user@host:port`. Text that `ssh` could
 * read as an option is rejected.
 * @throws LandfallError USAGE
 */
export function parseDestination(text: string): Destination {
  const { rest = text, port } = url.exec(text)?.groups ?? {};
  const { user, host } = plain.exec(rest)?.groups ?? {};
  const number = port === undefined ? undefined : Number(port);
  if (host === undefined || (number !== undefined && (number < 1 || number > 65_535))) {
    throw new LandfallError('USAGE', `not a server: ${JSON.stringify(text.slice(0, 200))}`, {
      hint: 'Write it as for ssh, such as root@203.0.113.7, or ssh://root@203.0.113.7:2222.',
    });
  }
  return { host: host.replace(/^\[|\]$/g, ''), user, port: number };
}

/** Formats a destination for messages and for users to type. */
export function formatDestination({ host, user, port }: Destination): string {
  const login = user === undefined ? host : `${user}@${host}`;
  return port === undefined ? login : `${login} (port ${port})`;
}
