import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UiApi } from '../../../../../appliance/server/chats/export/ui-api.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

/** Returns the API of a server with these answers. */
async function apiWith(answer: RequestListener, max?: number): Promise<UiApi> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const api = new UiApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, max);
  open.push(api, server);
  return api;
}

async function received(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

describe('the API of the chat UI', () => {
  it('returns JSON with its bytes, as the account of the session', async () => {
    const api = await apiWith(({ headers, url }, response) => {
      response.end(`{"a": "${url} ${headers.authorization}"}`);
    });
    expect(await api.json('/x?page=1', 'token', z.object({ a: z.string() }))).toEqual({
      value: { a: '/x?page=1 Bearer token' },
      bytes: [Buffer.from('{"a": "/x?page=1 Bearer token"}')],
    });
  });

  it('rejects JSON that is too large', async () => {
    const api = await apiWith(
      (_request, response) => void response.end(`"${'x'.repeat(99)}"`),
      100,
    );
    await expect(api.json('/', '', z.string())).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      message: 'it has more than 100 B',
    });
  });

  it('reports an interrupted response as a failure of this request', async () => {
    const api = await apiWith((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('start', () => response.destroy());
    });
    const interrupted = { code: 'HTTP_STATUS', message: 'the response was interrupted' };
    await expect(api.json('/', '', z.string())).rejects.toMatchObject(interrupted);
    await expect(received(api.file('/', ''))).rejects.toMatchObject(interrupted);
  });

  it('reports a closed connection as a chat UI that does not respond', async () => {
    const api = await apiWith((request) => request.socket.destroy());
    await expect(api.json('/', '', z.string())).rejects.toMatchObject({ code: 'STACK_UNHEALTHY' });
    await expect(received(api.file('/', ''))).rejects.toMatchObject({ code: 'STACK_UNHEALTHY' });
  });

  it('frees the connection of a rejected request', async () => {
    const api = await apiWith((request, response) => {
      response.writeHead(request.url === '/bad' ? 404 : 200).end('"text"');
    });
    for (let time = 0; time < 20; time += 1) {
      await expect(api.json('/bad', '', z.string())).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    }
    expect(await received(api.file('/', ''))).toBe('"text"');
  });
});
