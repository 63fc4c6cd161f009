import { LandfallError } from '#contract/errors.ts';

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
