import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readConfig } from '../../../appliance/relay/config.ts';
import { requestOf, responseOf } from '../../../appliance/relay/fetch.ts';
import { handle } from '../../../appliance/relay/handle.ts';
import { openRelay } from '../../../appliance/relay/open-relay.ts';
import { readStart } from '../../../appliance/relay/read-start.ts';
import { beginStream, event } from './provider.ts';
import { codeOf, RelayRig, relayKey } from './rig.ts';

let rig: RelayRig;
beforeEach(async () => {
  rig = await RelayRig.start();
});
afterEach(() => rig.close());

async function again(...args: Parameters<typeof RelayRig.start>): Promise<void> {
  await rig.close();
  rig = await RelayRig.start(...args);
}

/** Returns the text of the next chunk. */
async function nextPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

/** Waits until a condition holds; the test's timeout ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a stream of events', () => {
  it('arrives event by event', async () => {
    const words = ['one', 'two', 'three'];
    const seen: Array<() => void> = [];
    const arrivals = words.map(() => new Promise<void>((resolve) => seen.push(resolve)));
    rig.provider.answerNext(async (response) => {
      beginStream(response);
      for (const [index, content] of words.entries()) {
        response.write(event({ delta: { content } }));
        await arrivals[index];
      }
      response.end('data: [DONE]\n\n');
    });
    const answer = await rig.chat('x', true);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    for (const [index, content] of words.entries()) {
      expect(await nextPiece(reader)).toBe(event({ delta: { content } }));
      seen[index]?.();
    }
    expect(await nextPiece(reader)).toBe('data: [DONE]\n\n');
    expect((await reader.read()).done).toBe(true);
  });

  it('sends the headers of a stream before its first event', async () => {
    let speak = () => {};
    const silence = new Promise<void>((resolve) => {
      speak = resolve;
    });
    rig.provider.answerNext(async (response) => {
      beginStream(response);
      await silence;
      response.end('data: [DONE]\n\n');
    });
    const answer = await rig.chat('x', true);
    expect(answer.status).toBe(200);
    speak();
    expect(await answer.text()).toBe('data: [DONE]\n\n');
  });

  it('passes a stream on unchanged, even if split inside of a character', async () => {
    const bytes = Buffer.from('data: {"x":"中文"}\r\n\r\n: comment\n\ndata: [DONE]');
    rig.provider.answerNext(async (response) => {
      beginStream(response);
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const answer = await rig.chat('x', true);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  });

  it('aborts a stream at the provider when the client disconnects', async () => {
    const left = rig.provider.clientLeft();
    rig.provider.answerNext((response) => {
      beginStream(response);
      response.write(event({ delta: { content: 'one' } }));
    });
    const leaving = new AbortController();
    const answer = await rig.chat('x', true, { signal: leaving.signal });
    await nextPiece((answer.body as ReadableStream<Uint8Array>).getReader());
    leaving.abort();
    await left;
    await until(() => rig.log.length > 0);
    expect(rig.log[0]).toMatchObject({ status: 200, ending: 'aborted' });
  });

  it('aborts a stream at the provider when the client disconnects before it starts', async () => {
    const left = rig.provider.clientLeft();
    let asked = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    rig.provider.answerNext(() => asked());
    const leaving = new AbortController();
    const answer = rig.chat('x', true, { signal: leaving.signal });
    await arrived;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await left;
    await until(() => rig.log.length > 0);
    expect(rig.log[0]).toMatchObject({ status: 499, ending: 'aborted' });
  });

  it('ends a stream that the provider aborts with an error event, so that it never looks complete', async () => {
    rig.provider.answerNext((response) => {
      beginStream(response);
      response.write(event({ delta: { content: 'one' } }), () => response.destroy());
    });
    const answer = await rig.chat('x', true);
    const [first, last] = (await answer.text()).split(/\n{2,}/);
    expect(first).toContain('one');
    expect(JSON.parse(last?.replace('data: ', '') ?? '')).toEqual({
      error: {
        ...{ message: 'the provider broke off in the middle of its answer', type: 'api_error' },
        ...{ param: null, code: 'provider_broke_off' },
      },
    });
    expect(rig.log[0]).toMatchObject({ ending: 'broken' });
  });

  it('aborts a whole answer that the provider aborts', async () => {
    rig.provider.answerNext((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":', () => response.destroy());
    });
    const answer = await rig.chat('x', false);
    await expect(answer.text()).rejects.toThrow();
    expect(rig.log[0]).toMatchObject({ ending: 'broken' });
  });

  it('that stalls is aborted on both sides', async () => {
    await again({ timeouts: { idle: 0.2 } });
    const left = rig.provider.clientLeft();
    rig.provider.answerNext((response) => {
      beginStream(response);
      response.write(event({ delta: { content: 'one' } }));
    });
    const answer = await rig.chat('x', true);
    expect(await answer.text()).toMatch(/"provider_timeout"\}\}\n\n$/);
    await left;
    expect(rig.log[0]).toMatchObject({ ending: 'timeout' });
  });

  it('applies backpressure for a slow client', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const pieces = 80;
    let written = 0;
    function* endless() {
      for (; written < pieces; written += 1) yield piece;
    }
    rig.provider.answerNext(async (response) => {
      beginStream(response);
      await pipeline(endless, response);
    });
    const sent = request(`${rig.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${relayKey}` },
    }).end('{}');
    const response = await new Promise<NodeJS.ReadableStream>((resolve) =>
      sent.on('response', resolve),
    );
    response.pause();
    let before = -1;
    await until(() => {
      const still = written === before;
      before = written;
      return still && written > 0;
    });
    // The kernel buffers some data of both connections. The rest is not sent yet.
    expect(written).toBeLessThan(pieces / 2);
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).length;
    expect(received).toBe(pieces * piece.length);
  });
});

describe('a client that does not read its response', () => {
  /** Sends a request and reads nothing, not even the headers. */
  function ask(): Socket {
    const socket = connect(Number(new URL(rig.url).port), '127.0.0.1').pause();
    const authorization = `authorization: Bearer ${relayKey}`;
    const head = ['POST /v1/chat/completions HTTP/1.1', 'host: x', authorization];
    socket.write(`${[...head, 'content-length: 2'].join('\r\n')}\r\n\r\n{}`);
    return socket;
  }

  it.each([
    ['a stream', undefined],
    ['a response with Content-Length', 2 ** 30],
  ])(
    'disconnects a client that does not read its response, and the provider: %s',
    async (_what, length) => {
      await again({ timeouts: { client: 0.3 } });
      const left = rig.provider.clientLeft();
      rig.provider.answerNext(async (response) => {
        response.writeHead(200, length === undefined ? {} : { 'content-length': length });
        const piece = Buffer.alloc(1024 * 1024, 'x');
        const closed = once(response, 'close');
        while (!response.destroyed) {
          if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
        }
      });
      const socket = ask();
      await left;
      await until(() => rig.log.length > 0);
      expect(rig.log[0]).toMatchObject({ status: 200, ending: 'stalled' });
      // An orderly close would keep the unread bytes in the kernel.
      await expect(once(socket.resume(), 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
    },
  );
});

describe('a request of unknown length', () => {
  const limits = { body_bytes: 100_000 };
  const keys = [{ name: 'me', sha256: sha256Hex(relayKey), limits }];
  beforeEach(() => again({ keys }));

  const inPieces = (count: number) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count === 0) controller.close();
        else controller.enqueue(Buffer.alloc(10_000, 'x'));
        count -= 1;
      },
    });
  const send = (pieces: number) =>
    rig.ask('/v1/audio/transcriptions', {
      method: 'POST',
      body: inPieces(pieces),
      duplex: 'half',
    });

  it('streams a request of unknown length', async () => {
    rig.provider.answerNext((response) => void response.end('{}'));
    expect((await send(10)).status).toBe(200);
    expect(rig.provider.asked[0]?.body).toHaveLength(100_000);
    expect(rig.provider.asked[0]?.headers['transfer-encoding']).toBe('chunked');
  });

  it('rejects a request of unknown length also in a runtime that completes a failed body', async () => {
    const config = readConfig(
      JSON.stringify({ providers: { openai: { base_url: 'https://x.example/v1' } }, keys }),
      'settings',
    );
    const relay = openRelay(config, {
      keyOf: () => 'sk-1',
      log: () => {},
      send: async (_url, { body }) => {
        if (body && !(body instanceof Uint8Array)) await readStart(body, Infinity).catch(() => {});
        return new Response('{"text":"half of it"}');
      },
    });
    const request = new Request('https://relay.example/v1/audio/transcriptions', {
      method: 'POST',
      headers: { authorization: `Bearer ${relayKey}` },
      body: inPieces(20),
      duplex: 'half',
    });
    expect(await codeOf(responseOf(await handle(requestOf(request), relay)))).toBe(
      'relay_body_too_large',
    );
  });

  it('rejects a request of unknown length as soon as it is too long', async () => {
    const answer = await send(20);
    expect(answer.status).toBe(413);
    expect(await codeOf(answer)).toBe('relay_body_too_large');
    expect(rig.provider.asked).toEqual([]);
  });
});

describe('a response', () => {
  it('returns the Content-Length of the provider in a response', async () => {
    const answer = await rig.chat('x');
    expect(Number(answer.headers.get('content-length'))).toBe((await answer.text()).length);
  });

  it('without a body stays empty', async () => {
    rig.provider.answerNext((response) => void response.writeHead(204).end());
    const answer = await rig.ask('/v1/models');
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(rig.log).toHaveLength(1);
  });

  it('that is compressed is decompressed', async () => {
    const { gzipSync } = await import('node:zlib');
    rig.provider.answerNext((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"packed":true}'));
    });
    expect(await (await rig.ask('/v1/models')).json()).toEqual({ packed: true });
  });
});
