import { pipeline } from 'node:stream/promises';
import { LandfallError } from '#contract/errors.ts';
import { chooseProxy } from '#http/proxy.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { openConnection } from '#probe/exchange/send.ts';

/** The variable with the URL of the proxy: other users can see arguments. */
export const sshProxyVariable = 'LANDFALL_SSH_PROXY';

interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

/**
 * Connects standard input and output to a server through a proxy, as ssh expects of a ProxyCommand
 * (ssh_config(5)). Ends with the connection.
 * @throws LandfallError NETWORK_PROXY; Error with `code` for a lost connection
 */
export async function throughProxy(
  { host, port }: { readonly host: string; readonly port: number },
  proxy: string,
  { stdin, stdout }: Streams,
): Promise<void> {
  const url = new URL(`ssh://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const route = { proxy: chooseProxy(url, { proxy, env: {} }) };
  if (route.proxy === undefined) {
    throw new LandfallError('NETWORK_PROXY', `${sshProxyVariable} is not set`);
  }
  const socket = await openConnection(url, route, systemNetwork(), true);
  stdin.pipe(socket);
  await pipeline(socket, stdout, { end: false });
  // ssh keeps its side open until this program ends.
  stdin.unpipe(socket);
  stdin.pause();
}

/**
 * Returns the URL of the proxy for connections over SSH: that of the option, or of the variable.
 * @throws LandfallError USAGE for a password in the option, NETWORK_PROXY for another text
 */
export function sshProxyOf(option: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const text = option ?? env[sshProxyVariable];
  if (text === undefined || text === '') return undefined;
  const proxy = chooseProxy(new URL('ssh://localhost'), { proxy: text });
  if (option === undefined || proxy?.password === '') return text;
  throw new LandfallError('USAGE', 'the URL of --ssh-proxy has a password', {
    hint: `Other users of this computer can see arguments. Set ${sshProxyVariable} to the URL instead.`,
  });
}
