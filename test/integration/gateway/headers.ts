import { describe, expect, it } from 'vitest';
import type { GatewayRig, Seen } from './gateway-rig.ts';

const parts = [
  ['chat.example.com', '/'],
  ['next.example.com', '/api/openai/v1/models'],
  ['lobe.example.com', '/'],
  ['api.example.com', '/v1/models'],
] as const;

/** Headers that a program may trust as set by a proxy, or as proof of a passed check. */
const forged = {
  'X-Forwarded-For': '127.0.0.1',
  'X-Real-IP': '127.0.0.1',
  'X-Forwarded-Proto': 'gopher',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Port': '1',
  'X-Forwarded-Prefix': '/evil',
  'X-Forwarded-Server': 'evil.example',
  'X-FORWARDED-HOST': 'evil.example',
  Forwarded: 'for=127.0.0.1;host=evil.example',
  'X-Original-URL': '/admin',
  'X-Rewrite-URL': '/admin',
  'X-HTTP-Method-Override': 'DELETE',
  'X-Forwarded-User': 'admin',
  'X-Forwarded-Email': 'admin@evil.example',
  'Remote-User': 'admin',
  'X-Auth-Request-Email': 'admin@evil.example',
  'Cf-Access-Authenticated-User-Email': 'admin@evil.example',
  // nginx drops names with an underscore.
  X_Forwarded_Host: 'evil.example',
};
const forNext = {
  'X-Middleware-Subrequest': 'middleware:middleware:middleware',
  'X-Base-URL': 'https://evil.example/api.openai.com',
  'X-Matched-Path': '/evil',
  'X-Now-Route-Matches': '1=evil',
  'X-Invoke-Path': '/evil',
  'X-Invoke-Query': '%7B%22evil%22%3A1%7D',
  'X-Invoke-Output': '/evil',
  'X-Invoke-Status': '500',
  'X-Middleware-Invoke': '1',
  'X-Middleware-Rewrite': 'https://evil.example/',
  'x-middleware-prefetch': '1',
  'X-Nextjs-Data': '1',
};

/** Headers of requests and responses that the gateway passes on. */
export function headers(rig: () => GatewayRig): void {
  describe('the request headers', () => {
    it.each(parts)("contain the client's address for %s, and no forged one", async (host, path) => {
      const { headers } = await rig().seen(`https://${host}${path}`, { headers: forged });
      expect(headers).toMatchObject({ host, 'x-forwarded-proto': 'https' });
      expect(headers['x-real-ip']).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(headers['x-forwarded-for']).toBe(headers['x-real-ip']);
      expect(JSON.stringify(headers)).not.toMatch(/evil|127\.0\.0\.1|admin|DELETE|gopher/);
    });

    it.each(parts.slice(1, 3))(
      'contain none of the headers for %s that its Next.js acts on',
      async (host, path) => {
        const { headers } = await rig().seen(`https://${host}${path}`, { headers: forNext });
        expect(JSON.stringify(headers)).not.toMatch(/evil|x-(?:middleware|invoke|nextjs|matched)/i);
      },
    );

    it.each(['h2c', 'websocket, h2c', 'TLS/1.0', 'websockets'])(
      'contain no upgrade to %s',
      async (upgrade) => {
        const asked = { headers: { connection: 'Upgrade, HTTP2-Settings', upgrade } };
        for (const [host, path] of parts) {
          const { headers } = await rig().seen(`https://${host}${path}`, asked);
          expect(headers).not.toHaveProperty('upgrade');
          expect(headers.connection ?? '').not.toMatch(/upgrade/i);
        }
      },
    );

    it('contain a WebSocket upgrade to the UI only', async () => {
      const { status, text } = await rig().client.upgrade('https://chat.example.com');
      expect(status).toBe(101);
      const { headers }: Seen = JSON.parse(text);
      expect(headers).toMatchObject({ upgrade: 'websocket', connection: 'upgrade' });
      for (const name of ['next', 'lobe', 'api']) {
        expect((await rig().client.upgrade(`https://${name}.example.com`)).status).not.toBe(101);
      }
    });
  });

  describe('the response headers', () => {
    const given = '?header=X-Content-Type-Options=none&header=Referrer-Policy=unsafe-url';
    it.each([
      ['https://chat.example.com/', "frame-ancestors 'none'"],
      ['https://chat.example.com/api/v1/auths/?status=404', "frame-ancestors 'none'"],
      ['https://next.example.com/', "frame-ancestors 'self'"],
      ['https://next.example.com/sharegpt', "frame-ancestors 'self'"],
      ['https://lobe.example.com/?status=500', "frame-ancestors 'self'"],
      ['https://api.example.com/v1/models', "frame-ancestors 'none'"],
      ['https://docs.example.com/agents/relay', "frame-ancestors 'none'"],
      ['https://docs.example.com/none', "frame-ancestors 'none'"],
    ])('restrict framing of %s, in one header', async (url, policy) => {
      const { headers } = await rig().client.ask(url.includes('?') ? url : url + given);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(headers['content-security-policy']).toMatch(new RegExp(`(?:^|; )${policy}$`));
    });

    it.each(['https://other.example.org/', 'http://chat.example.com/', 'http://203.0.113.7/'])(
      'sends equally strict response headers for a missing page: %s',
      async (url) => {
        const { headers } = await rig().client.ask(url);
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['referrer-policy']).toBe('same-origin');
      },
    );
  });
}
