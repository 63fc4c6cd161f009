import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Constant of the handshake (RFC 6455, 4.2.2). */
const handshakeKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { text: 1, close: 8 } as const;

/**
 * Handles WebSockets at `/ws/socket.io/` as Socket.IO 4 does: the server opens, a client joins with
 * `40`, and both send keep-alives with `2` and `3`. Disallowed origins get 403, as from the
 * original.
 */
export function acceptSockets(server: Server, origins: readonly string[]): void {
  server.on('upgrade', (request, socket) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ui');
    const known = pathname === '/ws/socket.io/' && searchParams.get('transport') === 'websocket';
    const { origin } = request.headers;
    const allowed = origins.includes('*') || origin === undefined || origins.includes(origin);
    const key = request.headers['sec-websocket-key'];
    if (!known || !key) refuse(socket, '404 Not Found');
    else if (!allowed) refuse(socket, '403 Forbidden');
    else open(request, socket, key);
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

function open(_request: IncomingMessage, socket: Duplex, key: string): void {
  const accept = createHash('sha1')
    .update(key + handshakeKey)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const settings = { sid: randomUUID(), upgrades: [], pingInterval: 25_000, pingTimeout: 20_000 };
  send(socket, `0${JSON.stringify(settings)}`);
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const frame = readFrame(rest);
      if (!frame) return;
      rest = rest.subarray(frame.length);
      if (frame.opcode === opcodes.close) socket.end();
      else if (frame.text.startsWith('40'))
        send(socket, `40${JSON.stringify({ sid: randomUUID() })}`);
      else if (frame.text === '2') send(socket, '3');
    }
  });
}

/** Encodes a text of less than 64 KiB in one frame (RFC 6455, 5.2). */
function send(socket: Duplex, text: string): void {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x80 | opcodes.text, body.length])
      : Buffer.from([0x80 | opcodes.text, 126, body.length >> 8, body.length & 0xff]);
  socket.write(Buffer.concat([head, body]));
}

/**
 * Decodes the first frame of the received bytes; undefined while it is incomplete. Clients mask
 * (5.3).
 */
function readFrame(bytes: Buffer): { opcode: number; text: string; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 126 ? 4 : 2;
  if (bytes.length < start + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  const length = start + 4 + size;
  if (short === 127 || bytes.length < length) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const body = bytes
    .subarray(start + 4, length)
    .map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: (bytes[0] ?? 0) & 0x0f, text: Buffer.from(body).toString('utf8'), length };
}
