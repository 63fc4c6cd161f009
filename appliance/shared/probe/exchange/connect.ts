import { isIPv6, connect as open, type Socket } from 'node:net';
import { type SecureContext, connect as secure, type TLSSocket } from 'node:tls';
import { ipVersion } from '#platform/ip.ts';
import { untilReady } from './socket-event.ts';

/**
 * Connects to the first of these addresses that accepts the connection.
 * @throws Error of the socket; `code` is ETIMEDOUT after the timeout
 */
export async function connectTo(
  addresses: readonly string[],
  port: number,
  timeout: number,
): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first = { address: '', family: 4 }] = found;
  const socket = open({
    host: 'probed.invalid',
    port,
    // Node's default of 250 ms per address is too short for intercontinental connections.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.min(2500, timeout),
    lookup: (_name, options, done) =>
      options.all ? done(null, found) : done(null, first.address, first.family),
  });
  await untilReady(socket, 'connect', timeout);
  return socket;
}

/**
 * Opens TLS on a connection and verifies the name and the trust of the certificate.
 * @param host host name or address, without brackets
 * @throws Error of the socket, or with the code of a verification
 */
export async function secureWith(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
  timeout: number,
): Promise<TLSSocket> {
  const servername = ipVersion(host) === 0 ? { servername: host } : {};
  const options = { socket, host, ...servername, secureContext, ALPNProtocols: ['http/1.1'] };
  const encrypted = secure(options);
  try {
    await untilReady(encrypted, 'secureConnect', timeout);
    return encrypted;
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}
