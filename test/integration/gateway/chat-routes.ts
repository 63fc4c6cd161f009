import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import type { Asked } from '../stack/gateway-client.ts';
import type { GatewayRig, Seen } from './gateway-rig.ts';

const host = 'next.example.com';

/** The gateway serves only NextChat's page and its dependencies. */
export function chatRoutes(rig: () => GatewayRig): void {
  describe('NextChat behind the gateway', () => {
    /** Sends a path unchanged; a URL object would normalize it. */
    async function ask(path: string, { method = 'GET', headers }: Asked = {}) {
      const sent = request({
        ...{ host: rig().address, servername: host, ca: rig().authority, path, method },
        headers: { host, ...headers },
      }).end();
      return await new Promise<{ status: number; seen?: Seen }>((resolve, reject) => {
        sent.once('error', reject).once('response', async (response) => {
          const text = (await response.toArray()).join('');
          const status = response.statusCode ?? 0;
          resolve(status === 200 ? { status, seen: JSON.parse(text) } : { status });
        });
      });
    }

    it.each([
      '/',
      '/?_rsc=1ld0r',
      '/_next/static/chunks/main-app-1a2b.js',
      '/_next/static/media/KaTeX_Main.woff2',
      '/_next/image?url=%2F_next%2Fstatic%2Fmedia%2Fchatgpt.1a2b.png&w=128&q=75',
      '/favicon.ico',
      '/site.webmanifest',
      '/serviceWorkerRegister.js',
      '/apple-touch-icon.png',
      '/android-chrome-192x192.png',
      '/masks.json',
      '/api/config',
      '/api/openai/v1/models?x=%2e%2e%2f',
    ])('serves NextChat behind the gateway with %s', async (path) => {
      expect((await ask(path)).seen?.url).toBe(path);
    });

    it('accepts chat requests, and returns its requirements', async () => {
      const path = '/api/openai/v1/chat/completions';
      expect((await ask(path, { method: 'POST' })).seen).toMatchObject({ url: path });
      expect((await ask('/api/config', { method: 'POST' })).status).toBe(200);
    });

    it.each([
      '/api/proxy/openai/v1/models',
      '/API/proxy/openai/v1/models',
      '/Api/Anything/at/all',
      '/api/OpenAI/v1/models',
      '/api/artifacts',
      '/api/cors/https/evil.example',
      '/api/upstash/get/x',
      '/api/webdav/x',
      '/api/openai/v1/models?nxtPprovider=google',
      '/api/openai/v1/models?a=b&nxtPpath=x',
      '/api/openai/v1/models?%6extPprovider=google',
      '/google-fonts/css',
      '/GOOGLE-FONTS/css',
      '/Google-Fonts',
      '/sharegpt',
      '/ShareGPT/',
      '/sharegpt?x=.png',
      '/%73haregpt',
      '/google-fonts%2fcss',
      '/api%2fproxy%2fx.json',
      '/api/openai/..%2f..%2fapi/proxy/x',
      '/api/openai/../proxy/x',
      '/api/openai/%2e%2e/proxy/x',
      '/api/openai/..\\..\\google-fonts/css',
      '/_next/static/..%5c..%5cgoogle-fonts/css',
      '/_next/static/../../google-fonts/css',
      '/_next/static//../sharegpt',
      '/google-fonts/../favicon.ico',
      '/google-fonts/..\\favicon.ico',
      '//google-fonts/css',
      '//evil.example/favicon.ico',
      '/./sharegpt',
      '/google-fonts/css/../../',
      '/_next/data/build/index.json',
      '/_next/image?url=%2Fgoogle-fonts%2Fcss&w=64&q=75',
      '/_next/image?URL=%2F_next%2Fstatic%2Fmedia%2Fa.png&url=%2Fsharegpt&w=64&q=75',
      '/_next/image?url=%2F_next%2Fstatic%2Fmedia%2F..%2F..%2Fsharegpt&w=64&q=75',
      '/_next/image?url=%2F_next%2Fstatic%2Fmedia%2Fa.png&w=64&q=75&url=x',
      '/_next/image?url=https%3A%2F%2Fevil.example%2Fa.png&w=64&q=75',
      '/_NEXT/static/x',
    ])('returns 404 for %s', async (path) => {
      expect(await ask(path)).toEqual({ status: 403 });
    });

    it.each(['/', '/?x', '/_next/static/x.js', '/favicon.ico', '/_next/image'])(
      'exposes no functions to a POST to %s',
      async (path) => {
        for (const method of ['POST', 'PUT', 'DELETE']) {
          const headers = { 'next-action': '0'.repeat(40), 'content-type': 'text/plain' };
          expect(await ask(path, { method, headers })).toEqual({ status: 403 });
        }
      },
    );
  });
}
