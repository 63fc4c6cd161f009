import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { GatewayRig } from './gateway-rig.ts';

/** The documentation of the server on the port that SSH tunnels use. */
export function documentation(rig: () => GatewayRig): void {
  describe('the documentation through an SSH tunnel', () => {
    async function ask(path: string, headers: Record<string, string>) {
      const sent = request({ host: rig().address, port: 8090, path, headers }).end();
      return await new Promise<{ status?: number; type?: string; location?: string }>(
        (resolve, reject) => {
          sent.once('error', reject).once('response', (response) => {
            response.resume();
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              location: response.headers.location ?? '',
            });
          });
        },
      );
    }

    it.each(['127.0.0.1:8090', 'localhost:9000', 'localhost'])(
      'serves the documentation through an SSH tunnel under the name %s',
      async (host) => {
        const html = { status: 200, type: 'text/html; charset=utf-8' };
        expect(await ask('/agents/index', { host })).toMatchObject(html);
        expect(await ask('/agents/zh/relay', { host })).toMatchObject(html);
        expect(await ask('/llms.txt', { host })).toMatchObject({ status: 200 });
      },
    );

    it.each([
      ['en-GB,en;q=0.9,zh;q=0.8', '/agents/index'],
      ['zh-CN,zh;q=0.9,en;q=0.8', '/agents/zh/index'],
      ['de', '/agents/index'],
    ])('starts in the first language of the browser: %s', async (language, location) => {
      const headers = { host: '127.0.0.1:9000', 'accept-language': language };
      expect(await ask('/', headers)).toMatchObject({ status: 302, location });
    });

    // A page of another site can resolve its own name to 127.0.0.1.
    it.each(['evil.example:8090', 'docs.example.com', '203.0.113.7'])(
      'rejects a request for the documentation under the name %s',
      async (host) => {
        expect(await ask('/agents/index', { host })).toMatchObject({ status: 403 });
      },
    );
  });
}
