import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { callEndpoint } from '../../../../appliance/shared/smoke/endpoint.ts';
import { firstMessage, upgradeStatus } from '../../../../appliance/shared/smoke/web-socket.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { portOf } from './closing-servers.ts';

describe('an upgrade', () => {
  it('reports an accepted upgrade', async () => {
    const server = createServer().on('upgrade', (_request, socket) => {
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await upgradeStatus({ base: `http://127.0.0.1:${port}` })).toBe(101);
    server.close();
  });

  it('reports the status of a page that accepts no upgrade', async () => {
    const port = await portOf(() => new Response('<html></html>'));
    const endpoint = { base: `http://front-end.example:${port}`, address: '127.0.0.1' };
    expect(await upgradeStatus(endpoint)).toBe(200);
  });

  it('sends an upgrade to the port of a preview instead of that of the URL', async () => {
    const http = await portOf(() => new Response('<html></html>'));
    const ports = { http, https: 1 };
    const endpoint = { base: 'http://front-end.example', address: '127.0.0.1', ports };
    expect(await upgradeStatus(endpoint)).toBe(200);
    expect((await callEndpoint(endpoint, '/')).status).toBe(200);
  });
});

/** A server that accepts upgrades, sends these bytes one piece after the other, and closes. */
async function webSocketServer(pieces: readonly Uint8Array[], wrongKey = ''): Promise<string> {
  const server = createServer().on('upgrade', async ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key']}${wrongKey}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
    socket.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterThisTest(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hello = Buffer.from([0x81, 3, 0x30, 0x7b, 0x7d]);
const text = '0{'.padEnd(300, ' ');
const long = Buffer.concat([Buffer.from([0x81, 126, 1, 0x2c]), Buffer.from(text)]);
const tooLong = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
const ping = Buffer.from([0x89, 1, 0x78]);

describe('the first message of a WebSocket', () => {
  it.each<[string, Uint8Array[], string]>([
    ['in one piece', [hello], '0{}'],
    ['with one character', [Buffer.from([0x81, 1, 0x30])], '0'],
    ['byte by byte', [...long].map((byte) => Buffer.of(byte)), text],
    ['after a ping', [Buffer.concat([ping, hello])], '0{}'],
  ])('arrives %s', async (_how, pieces, expected) => {
    expect(await firstMessage({ base: await webSocketServer(pieces) }, '/ws')).toBe(expected);
  });

  it.each<[string, Uint8Array[], string, RegExp]>([
    ['the connection closes first', [ping], '', /closed without a message/],
    ['it is too large', [tooLong], '', /too large/],
    ['it is masked', [Buffer.from([0x81, 0x83, 1, 2, 3, 4, 0, 0, 0])], '', /too large/],
    ['the server answers another key', [hello], 'other', /rejected/],
  ])('is missing when %s', async (_why, pieces, wrongKey, message) => {
    const base = await webSocketServer(pieces, wrongKey);
    await expect(firstMessage({ base }, '/ws')).rejects.toThrow(message);
  });
});
