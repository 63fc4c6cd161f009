import { pipeline } from 'node:stream/promises';
import { LandfallError } from '#contract/errors.ts';
import { chooseProxy } from '#http/proxy.ts';
import { systemNetwork } from './network.ts';
import { openConnection } from './send.ts';

/** The variable with the URL of the proxy: other users can see arguments. */
export const sshProxyVariable = 'LANDFALL_SSH_PROXY';

interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

/**
 * Connects standard input and output to a server through a proxy, as ssh expects of a ProxyCommand
 * (ssh_config(5)). Ends with the connection.
 * @throws LandfallError NETWORK_PROXY, also for a lost connection
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
  const socket = await openConnection(url, route, systemNetwork(), true).catch(lost);
  stdin.pipe(socket);
  await pipeline(socket, stdout, { end: false }).catch(lost);
  // ssh keeps its side open until this program ends.
  stdin.unpipe(socket);
  stdin.pause();
}

function lost(cause: unknown): never {
  if (cause instanceof LandfallError) throw cause;
  const { message } = cause as Error;
  throw new LandfallError('NETWORK_PROXY', `the connection through the proxy is lost: ${message}`, {
    hint: 'Check the proxy, and that it allows connections to this port.',
    cause,
  });
}
