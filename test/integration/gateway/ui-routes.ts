import { describe, expect, it } from 'vitest';
import type { GatewayRig } from './gateway-rig.ts';

const ui = 'https://chat.example.com';

/** Requests of the chat UI that the gateway answers, and paths that it must not change. */
export function uiRoutes(rig: () => GatewayRig): void {
  describe('a web page that a user attaches to a chat', () => {
    it.each([...['url', 'url?process=false', 'web', 'youtube', 'url/', '%75rl']])(
      'rejects a web page in a chat at once, with a sentence for the user: %s',
      async (path) => {
        const asked = { method: 'POST', body: '{"url":"https://example.org/"}' };
        const { status, headers, text } = await rig().client.ask(
          `${ui}/api/v1/retrieval/process/${path}`,
          asked,
        );
        expect(status).toBe(403);
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'x-content-type-options': 'nosniff',
        });
        expect(JSON.parse(text).detail).toMatch(/does not open web pages.*此服务器不打开网页/);
      },
    );

    it.each(['file', 'text', 'files/batch', 'web/search'])(
      'does not affect other documents: %s',
      async (path) => {
        const url = `/api/v1/retrieval/process/${path}`;
        expect((await rig().seen(ui + url, { method: 'POST' })).url).toBe(url);
      },
    );
  });

  describe('the script that checks messages and texts before the page sends them', () => {
    it('replaces the empty script of the chat UI, and is requested at each visit', async () => {
      const { status, headers, text } = await rig().client.ask(`${ui}/static/loader.js`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      });
      expect(text).toContain('window.fetch');
      expect(text).toContain('消息过长');
    });

    it('lets browsers keep files whose names change with their content', async () => {
      const { headers } = await rig().client.ask(`${ui}/_app/immutable/chunks/a.js`);
      expect(headers).toMatchObject({
        'cache-control': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      });
    });

    it('does not affect other files of the chat UI', async () => {
      expect((await rig().seen(`${ui}/static/custom.css`)).url).toBe('/static/custom.css');
    });
  });

  describe('a request for embeddings', () => {
    const ask = async (status: number, path = '/api/embeddings') =>
      await rig().client.ask(`${ui}${path}?status=${status}`, { method: 'POST', body: '{}' });

    it.each(['/api/embeddings', '/api/v1/embeddings'])(
      'says what is missing in place of a failure of the chat UI: %s',
      async (path) => {
        const { status, headers, text } = await ask(500, path);
        expect(status).toBe(400);
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'x-content-type-options': 'nosniff',
        });
        expect(JSON.parse(text)).toMatchObject({
          error: { code: 'embeddings_failed' },
          detail: expect.stringMatching(/embedding model.*向量模型/),
        });
      },
    );

    it('returns vectors, and errors that say more', async () => {
      for (const status of [200, 400, 401]) {
        const answer = await ask(status);
        expect(answer.status).toBe(status);
        expect(JSON.parse(answer.text)).toMatchObject({ url: `/api/embeddings?status=${status}` });
      }
    });

    it('reports a chat UI that does not respond as everywhere', async () => {
      const { status, text } = await ask(502);
      expect([status, JSON.parse(text).error.code]).toEqual([502, 'service_unavailable']);
    });
  });

  describe('an encoded model name', () => {
    it('reaches the relay unchanged', async () => {
      const path = '/openai/v1/models/org%2Fmodel%3A8b';
      expect((await rig().seen(`https://api.example.com${path}`)).url).toBe(path);
    });
  });
}
