import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isTransient } from '#http/retry.ts';
import { OllamaApi, readModelList } from '../../../../appliance/server/ollama/ollama-api.ts';
import { rejectionOf } from '../../../setup/landfall-error.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function engineThat(answer: RequestListener): Promise<OllamaApi> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new OllamaApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Returns the first line of a pull whose response is this value. */
async function readPullLine(value: unknown) {
  const engine = await engineThat((_, response) => void response.end(JSON.stringify(value)));
  const { value: line } = await engine.pull('x:1b', false, new AbortController().signal).next();
  return line;
}

const model = {
  name: 'qwen3:8b',
  model: 'qwen3:8b',
  modified_at: '2026-01-01T00:00:00Z',
  size: 5_200_000_000,
  digest: 'a'.repeat(64),
  details: { families: null },
};

describe("the response with Ollama's list of models", () => {
  it('may have unknown fields', () => {
    expect(readModelList(JSON.stringify({ models: [model] }))).toEqual([
      { name: 'qwen3:8b', size: 5_200_000_000, digest: `sha256:${'a'.repeat(64)}` },
    ]);
    expect(readModelList('{"models":[]}')).toEqual([]);
  });

  it.each([
    ['invalid JSON', '<html>'],
    ['no list', '{"models":null}'],
    ['a digest with its prefix', { ...model, digest: `sha256:${'a'.repeat(64)}` }],
    ['a digest in capitals', { ...model, digest: 'A'.repeat(64) }],
    ['a negative size', { ...model, size: -1 }],
    ['no name', { ...model, name: '' }],
  ])('rejects a list of models from Ollama with %s', (_, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify({ models: [content] });
    expect(() => readModelList(text)).toThrow(expect.objectContaining({ code: 'MODEL_FAILED' }));
  });

  it('parses or rejects a list of models from Ollama for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readModelList(text);
        } catch (error) {
          expect(error).toBeInstanceOf(LandfallError);
        }
      }),
    );
  });

  it('limits the size of the list of models from Ollama', async () => {
    let written = 0;
    const engine = await engineThat((_, response) => {
      // Writes the next chunk once the previous one was sent.
      const pour = () => {
        written += 1;
        // Limits the test in case of a failure.
        if (written === 200) response.end();
        else response.write(Buffer.alloc(1 << 20, ' '));
      };
      response.on('drain', pour);
      pour();
    });
    expect((await rejectionOf(engine.list())).message).toContain('too large');
    // 8 MiB are read, and the two ends of a connection buffer some more.
    expect(written).toBeGreaterThan(8);
    expect(written).toBeLessThan(64);
  });
});

describe('an error response of Ollama', () => {
  it('quotes an error response of Ollama', async () => {
    const engine = await engineThat((_, response) => {
      response.writeHead(404).end(JSON.stringify({ error: "model 'x' not found\u001b[2J" }));
    });
    const error = await rejectionOf(engine.remove('x:1b'));
    expect(error.message).toBe("Ollama rejected the request: model 'x' not found");
    expect(isTransient(error)).toBe(false);
  });

  it('without a message is reported by its status, and is transient for 503', async () => {
    const engine = await engineThat((_, response) => void response.writeHead(503).end('<html>'));
    const error = await rejectionOf(engine.copy('a:1b', 'b:1b'));
    expect(error.message).toBe('Ollama rejected the request: status 503');
    expect(isTransient(error)).toBe(true);
  });

  it('treats an error of Ollama as transient if the connection was closed', async () => {
    const engine = await engineThat((request) => request.socket.destroy());
    const error = await rejectionOf(engine.list());
    expect([error.code, isTransient(error)]).toEqual(['STACK_UNHEALTHY', true]);
  });
});

describe('a line of the pull response', () => {
  it.each([
    { status: 'pulling manifest' },
    { status: 'pulling dde5aa3fc5ff', digest: 'sha256:dde5', total: 2_019_377_376 },
    { status: 'pulling dde5aa3fc5ff', digest: 'sha256:dde5', total: 10, completed: 3 },
    { status: 'pulling model', digest: 'sha256:model', total: 10, completed: 3 },
    { error: 'pull model manifest: file does not exist' },
  ])('may be %j', async (line) => expect(await readPullLine(line)).toEqual(line));

  it('reads a line of the pull response as an error if it has an error field', async () => {
    expect(await readPullLine({ status: 'success', error: 'no' })).toEqual({ error: 'no' });
  });

  it.each([
    [null],
    ['success'],
    [{}],
    [{ status: '' }],
    [{ error: '' }],
    [{ status: 'a', total: -1 }],
    [{ status: 'a', total: 1.5 }],
    [{ status: 'a', completed: '1' }],
    [{ status: 'a', completed: 1e300 }],
    [{ status: 7 }],
  ])('rejects a line of the pull response: %j', async (line) => {
    await expect(readPullLine(line)).rejects.toBeInstanceOf(LandfallError);
  });

  it('parses or rejects a line of the pull response for any input', async () => {
    const amount = fc.oneof(fc.integer(), fc.double(), fc.string());
    const near = fc.record(
      { status: fc.string(), error: fc.string(), total: amount, completed: amount },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), near), async (value) => {
        try {
          const line = await readPullLine(value);
          expect(line && ('error' in line || line.status.length > 0)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(LandfallError);
        }
      }),
    );
  });
});
