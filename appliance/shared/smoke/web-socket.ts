import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from './endpoint.ts';
import { anyCertificate, passHeaders, portIn } from './exchange.ts';

/** Milliseconds. */
const timeout = 20_000;
/** Bytes that may arrive before the first message is complete. */
const maxReceived = 64 << 10;
/** RFC 6455, 1.3. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Opens a WebSocket and returns the first message as text. @throws Error when none arrives */
export async function firstMessage(endpoint: Endpoint, path: string): Promise<string> {
  const key = newKey();
  const answer = await answerTo(upgradeRequest(endpoint, path, key));
  try {
    const accept = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');
    if (answer.statusCode !== 101 || answer.headers['sec-websocket-accept'] !== accept)
      throw new Error('the upgrade was rejected');
    return await Promise.race([firstText(answer), late()]);
  } finally {
    answer.socket.destroy();
  }
}

async function late(): Promise<never> {
  await delay(timeout, undefined, { ref: false });
  throw new Error('timed out without a message');
}

async function firstText({ socket }: IncomingMessage): Promise<string> {
  let received: Buffer = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes]);
    const text = textIn(received);
    if (text !== undefined) return text;
    if (received.length > maxReceived) throw new Error('the first message is too large');
  }
  throw new Error('the connection closed without a message');
}

/** Returns the payload of the first text frame; undefined before it is complete (RFC 6455, 5.2). */
function textIn(bytes: Buffer): string | undefined {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const opcode = bytes.readUInt8(at) & 0x0f;
    const short = bytes.readUInt8(at + 1);
    // 127 announces more than `maxReceived`; above it, the frame is masked, which servers must not do.
    if (short >= 127) throw new Error('the first message is too large');
    const start = at + (short === 126 ? 4 : 2);
    if (start > bytes.length) return undefined;
    const end = start + (short === 126 ? bytes.readUInt16BE(at + 2) : short);
    if (opcode === 1) return end > bytes.length ? undefined : bytes.toString('utf8', start, end);
    at = end;
  }
  return undefined;
}

/** Returns the response status of an endpoint to a WebSocket upgrade (RFC 6455, 4.1). */
export async function upgradeStatus(endpoint: Endpoint): Promise<number> {
  return await statusOf(upgradeRequest(endpoint, '/', newKey()));
}

function newKey(): string {
  return randomBytes(16).toString('base64');
}

function upgradeRequest({ base, ...via }: Endpoint, path: string, key: string): ClientRequest {
  const { address, ports } = via;
  const { protocol, hostname, host, port } = new URL(base);
  const options: RequestOptions = {
    host: address ?? hostname,
    ...(ports ? { port: portIn(ports, protocol) } : port ? { port } : {}),
    path,
    ...(isIP(hostname) ? {} : { servername: hostname }),
    ...anyCertificate,
    headers: {
      ...passHeaders(via),
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    },
    timeout,
  };
  return protocol === 'http:' ? plainRequest(options) : secureRequest(options);
}

/** Sends a request and returns its status, also if it becomes a tunnel or a WebSocket. */
export async function statusOf(request: ClientRequest): Promise<number> {
  const { statusCode = 0, socket } = await answerTo(request);
  socket.destroy();
  return statusCode;
}

/** Sends a request and returns the response, also one that makes it a tunnel or a WebSocket. */
async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const end = (response: IncomingMessage, socket = response.socket, head?: Buffer) => {
      if (head?.length) socket.unshift(head);
      resolve(response);
    };
    request.once('timeout', () => request.destroy(new Error('the request timed out')));
    request.once('error', reject);
    request
      .once('response', (response) => end(response))
      .once('upgrade', end)
      .once('connect', end);
    request.end();
  });
}
