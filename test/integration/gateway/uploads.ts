import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { maxUpload } from '#contract/sizes/limits.ts';
import type { GatewayRig } from './gateway-rig.ts';

const MiB = 1024 ** 2;
const path = '/api/v1/files/';
const hosts = ['chat.example.com', 'api.example.com', 'lobe.example.com'];
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Uploads around the limit, over both versions of HTTP, with and without a declared length. */
export function uploads(rig: () => GatewayRig): void {
  describe('an upload', () => {
    const tls = (host: string) => ({ host: rig().address, servername: host, ca: rig().authority });
    const chunk = Buffer.alloc(MiB, 'x');

    /** Uploads until the response arrives. */
    async function upload(host: string, size: number, headers: object = {}): Promise<Answer> {
      const length = 'transfer-encoding' in headers ? {} : { 'content-length': size };
      const sent = request({
        ...{ ...tls(host), path, method: 'POST', agent: false },
        headers: { host, ...length, ...headers },
      });
      // The gateway may close the connection while the client is still sending.
      sent.on('error', () => {});
      let answered = false;
      const answer = new Promise<Answer>((resolve, reject) => {
        sent.once('close', () => reject(new Error('no response')));
        sent.once('response', async (response) => {
          answered = true;
          const { statusCode: status = 0, headers: received } = response;
          const type = received['content-type'] ?? '';
          resolve({ status, type, body: await text(response as Readable) });
        });
      });
      void (async () => {
        for (let left = size; left > 0 && !answered && !sent.destroyed; left -= MiB) {
          const piece = left < MiB ? chunk.subarray(0, left) : chunk;
          if (!sent.write(piece)) await new Promise((resume) => sent.once('drain', resume));
        }
        sent.end();
      })();
      return await answer.finally(() => sent.destroy());
    }

    it('accepts an upload of the largest file that the chat UI accepts, with its form', async () => {
      const size = maxUpload * MiB + 500_000;
      const { status, body } = await upload('chat.example.com', size);
      expect([status, JSON.parse(body).bytes]).toEqual([200, size]);
    });

    it.each(hosts)('beyond the limit gets an error that programs can read: %s', async (host) => {
      const size = (maxUpload + 2) * MiB;
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const { status, type, body } = await upload(host, size, headers);
        expect([status, type]).toEqual([413, 'application/json']);
        expect(JSON.parse(body)).toMatchObject({
          error: { code: 'request_too_large', message: expect.stringContaining('100 MB') },
          detail: expect.stringContaining('上限为 100 MB'),
        });
      }
    });

    it('beyond the limit gets that error over HTTP/2 too', async () => {
      const session = connect('https://chat.example.com', tls('chat.example.com'));
      const stream = session.request({
        ...{ ':method': 'POST', ':path': path },
        'content-length': `${(maxUpload + 2) * MiB}`,
      });
      const status = await new Promise((resolve) =>
        stream.once('response', (headers) => resolve(headers[':status'])),
      );
      expect(status).toBe(413);
      expect(JSON.parse(await text(stream))).toMatchObject({
        error: { code: 'request_too_large' },
      });
      session.destroy();
    });

    it('beyond the limit gets a page with the limit when a person sent it', async () => {
      const { status, type, body } = await upload('chat.example.com', (maxUpload + 2) * MiB, page);
      expect([status, type]).toEqual([413, 'text/html; charset=utf-8']);
      expect(body).toContain('This upload is too large: the limit is 100 MB');
      expect(body).not.toContain('http-equiv="refresh"');
    });

    it('that a component rejects keeps its response', async () => {
      const { text: body, status } = await rig().client.ask(
        'https://api.example.com/v1/models?status=413',
        { headers: page },
      );
      expect([status, JSON.parse(body).url]).toEqual([413, '/v1/models?status=413']);
    });
  });
}
