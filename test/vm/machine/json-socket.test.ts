import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { JsonSocket } from './json-socket.ts';

interface Question {
  readonly id: string;
  readonly execute: string;
  readonly arguments: unknown;
}

const path = join(await workFolder(), 'socket');
let server: Server | undefined;
afterEach(() => new Promise((resolve) => server?.close(resolve)));

/** Starts a peer with custom responses. */
async function peer(answer: (question: Question, socket: Socket) => void): Promise<JsonSocket> {
  server = createServer((socket) => {
    // A client that closes with unread data resets the connection.
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => answer(JSON.parse(line), socket));
    socket.write('{"QMP": {"version": {}}}\n');
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  return await JsonSocket.connect(path);
}

function say(socket: Socket, value: unknown): void {
  socket.write(`${JSON.stringify(value)}\r\n`);
}

describe('a request to qemu or to the agent in a guest', () => {
  it('returns the response with its id', async () => {
    const socket = await peer(({ id, arguments: args }, to) => {
      say(to, { event: 'RESET' });
      say(to, { return: 'for another request', id: 'x' });
      say(to, { return: args, id });
    });
    expect(await socket.ask('echo', { a: 1 })).toEqual({ a: 1 });
    socket.close();
  });

  it('returns its own response when others arrive first', async () => {
    const waiting: Question[] = [];
    const socket = await peer((question, to) => {
      waiting.push(question);
      if (waiting.length < 2) return;
      for (const { id, execute } of waiting.toReversed()) say(to, { return: execute, id });
    });
    expect(await Promise.all([socket.ask('one', {}), socket.ask('two', {})])).toEqual([
      'one',
      'two',
    ]);
    socket.close();
  });

  it('ignores an incomplete line that a machine left at a power cut', async () => {
    const socket = await peer(({ id }, to) => {
      to.write('{"return": {"pid"\n');
      say(to, { return: 'here', id });
    });
    expect(await socket.ask('guest-ping', {})).toBe('here');
    socket.close();
  });

  it('throws the error of the peer', async () => {
    const error = { class: 'GenericError', desc: 'no such file' };
    const socket = await peer(({ id }, to) => say(to, { error, id }));
    await expect(socket.ask('guest-exec', {})).rejects.toThrow('guest-exec: no such file');
    socket.close();
  });

  it('times out without a response', async () => {
    const socket = await peer(() => {});
    await expect(socket.ask('guest-ping', {}, 0.05)).rejects.toThrow('no answer to guest-ping');
    socket.close();
  });
});
