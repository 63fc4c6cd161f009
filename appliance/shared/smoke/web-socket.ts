import { randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { WebSocket } from 'undici';
import type { Endpoint } from './endpoint.ts';
import { anyCertificate, connectTo, passHeaders, portIn } from './exchange.ts';

const timeout = 20_000;

/** Opens a WebSocket and returns the first message as text. @throws Error when none arrives */
export async function firstMessage({ base, ...via }: Endpoint, path: string): Promise<string> {
  const dispatcher = connectTo(via);
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}${path}`, {
    dispatcher,
    headers: passHeaders(via),
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('timed out without a message')), timeout);
      late.unref();
      socket.addEventListener('message', ({ data }) => resolve(String(data)));
      socket.addEventListener('error', () => reject(new Error('the upgrade was rejected')));
      socket.addEventListener('close', () =>
        reject(new Error('the connection closed without a message')),
      );
    });
  } finally {
    socket.close();
    await dispatcher.destroy();
  }
}

/** Returns the response status of an endpoint to a WebSocket upgrade (RFC 6455, 4.1). */
export async function upgradeStatus({ base, ...via }: Endpoint): Promise<number> {
  const { address, ports } = via;
  const { protocol, hostname, host, port } = new URL(base);
  const options: RequestOptions = {
    host: address ?? hostname,
    ...(ports ? { port: portIn(ports, protocol) } : port ? { port } : {}),
    path: '/',
    ...(isIP(hostname) ? {} : { servername: hostname }),
    ...anyCertificate,
    headers: {
      ...passHeaders(via),
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
    timeout: timeout,
  };
  return await statusOf(protocol === 'http:' ? plainRequest(options) : secureRequest(options));
}

/** Sends a request and returns its status, also if it becomes a tunnel or a WebSocket. */
export async function statusOf(request: ClientRequest): Promise<number> {
  return await new Promise((resolve, reject) => {
    const end = ({ statusCode = 0, socket }: IncomingMessage) => {
      socket.destroy();
      resolve(statusCode);
    };
    request.once('timeout', () => request.destroy(new Error('the request timed out')));
    request.once('error', reject);
    request.once('response', end).once('upgrade', end).once('connect', end);
    request.end();
  });
}
