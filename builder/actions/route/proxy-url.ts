import { text } from 'node:stream/consumers';
import { LandfallError } from '#contract/errors.ts';
import { urlOf } from '#contract/site/urls.ts';
import { askPassphrase } from '../ask-passphrase.ts';
import type { CommandContext } from '../context.ts';

const accepted = urlOf('https?|socks5h?', 'http://10.0.0.2:7890')
  .refine((given) => /^[^/]+\/\/[^/?#]+\/?$/.test(given), {
    error: 'must end after its port, without a path, a query or a fragment',
    abort: true,
  })
  .refine((given) => new URL(given).port !== '0', 'has the port 0')
  .refine((given) => !/%(?![0-9a-f]{2})/i.test(given), 'has an invalid %; use %25 for a literal %');

/**
 * Returns the URL of a proxy with its password. A URL with a user needs a password, which is read from
 * a prompt or standard input.
 * @throws LandfallError USAGE for an invalid URL or one with a password, which other users of this
 * machine can see; the message does not contain the URL
 */
export async function completeProxyUrl(context: CommandContext, given: string): Promise<string> {
  const { success, error } = accepted.safeParse(given);
  if (!success) {
    const [issue] = error.issues;
    throw new LandfallError('USAGE', `the URL of the proxy ${issue?.message}`, {
      hint: 'Use http://host:port or socks5h://host:port, with user@ before the host if the proxy requires a login.',
    });
  }
  const url = new URL(given);
  if (url.password !== '') {
    throw new LandfallError(
      'USAGE',
      'the URL contains a password, which other users of this machine can see',
      { hint: 'Omit `:password`; enter it at the prompt or pass it on standard input.' },
    );
  }
  if (url.username === '') return given.replace(/\/$/, '');
  const password = encodeURIComponent(await readPassword(context)).replaceAll("'", '%27');
  const [, scheme = '', user = '', host = ''] = /^([^/]+\/\/)([^@]*?):?@([^/]+)/.exec(given) ?? [];
  return `${scheme}${user}:${password}@${host}`;
}

async function readPassword({ interactive, stdin }: CommandContext): Promise<string> {
  const password = interactive
    ? await askPassphrase('Password of the proxy')
    : (await text(stdin)).replace(/\r?\n$/, '');
  if (password !== '' && password.length <= 256 && !/\p{Cc}/u.test(password)) return password;
  throw new LandfallError('USAGE', 'the password of the proxy is missing or invalid', {
    hint: 'Pass one line of at most 256 characters on standard input, or run this on a terminal.',
  });
}
