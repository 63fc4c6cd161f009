import type { Destination } from './destination.ts';

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
