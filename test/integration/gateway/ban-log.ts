import { connect as connectOverHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import type { Asked } from '../stack/gateway-client.ts';
import { waiting } from '../stack/waiting.ts';
import type { GatewayRig } from './gateway-rig.ts';

const ui = 'https://chat.example.com';
/** Another sign-in: few requests with the password of an account reach the UI. */
const signIn = '/api/v1/auths/ldap?status=400';
const post = (headers: Record<string, string> = {}): Asked => ({ method: 'POST', headers });

/**
 * Requests that the gateway logs for fail2ban: those of a client, but not those that another site's
 * page causes.
 */
export function banLog(rig: () => GatewayRig): void {
  describe('the ban log', () => {
    /**
     * Returns the requests that are logged during an action, with their statuses.
     * @param site host name for a request that is always logged
     */
    async function written(act: () => Promise<unknown>, site = ui): Promise<string[]> {
      const before = (await rig().banLog()).length;
      await act();
      // A line is logged after its response: once this one is there, all earlier ones are.
      await rig().client.ask(`${site}/mark`, { method: 'DELETE' });
      const lines = async () => (await rig().banLog()).slice(before);
      await expect.poll(async () => (await lines()).join(), waiting).toContain('/mark');
      return (await lines())
        .map((line) => line.replace(/^.*\] "(.*) HTTP\/1.1" (\d+) .*$/, '$1 $2'))
        .filter((line) => !line.includes('/mark'));
    }
    const ask = (url: string, asked: Asked = {}) => written(() => rig().client.ask(url, asked));

    it.each([
      {},
      { origin: ui, 'sec-fetch-site': 'same-origin' },
      { origin: 'https://CHAT.example.com:443' },
      { 'sec-fetch-site': 'none' },
    ])("contains rejected sign-ins of programs and of the site's own page: %o", async (headers) => {
      const line = 'POST /api/v1/auths/ldap 400';
      expect(await ask(ui + signIn, post(headers))).toEqual([line]);
    });

    it('contains requests to the relay without a known key, and none with one', async () => {
      const path = '/v1/chat/completions';
      const relay = (query: string) => ask(`https://api.example.com${path}?${query}`, post());
      expect(await relay('status=401')).toEqual([`POST ${path} 401`]);
      expect(await relay('status=404&header=x-relay-key=')).toEqual([`POST ${path} 404`]);
      for (const status of [400, 401, 403, 404])
        expect(await relay(`status=${status}&header=x-relay-key%3Dknown`)).toEqual([]);
    });

    it('contains scans over TLS, also of the bare address', async () => {
      expect(await ask(`${ui}/.env?status=404`)).toEqual(['GET /.env 404']);
      expect(await ask('https://203.0.113.7/.env')).toEqual(['GET /.env 403']);
    });

    it.each([
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'Cross-Site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none, cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://chat.example.com.evil.example' },
      { origin: 'https://evil.example/chat.example.com' },
      { origin: 'https://chat.example.com@evil.example' },
    ])("contains no requests that another site's page causes: %o", async (headers) => {
      expect(await ask(ui + signIn, post(headers))).toEqual([]);
      expect(await ask(`${ui}/api/chat?status=401`, post(headers))).toEqual([]);
      expect(await ask(`${ui}/.env?status=404`, { headers })).toEqual([]);
      const relay = 'https://api.example.com/v1/chat/completions?status=401';
      expect(await ask(relay, post(headers))).toEqual([]);
    });

    // A page can cause them with an image. nginx rejects them before it reads Sec-Fetch-Site.
    it.each([
      ['an invalid escape', '/%zz'],
      ['an escaped NUL', '/%00'],
      ['a path above the root', '/..%2f..%2fx'],
      ['a long path', `/${'a'.repeat(9000)}`],
      ['a very long path', `/${'a'.repeat(20_000)}`],
    ])('contains no malformed request over either version of HTTP: %s', async (_what, path) => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect(await ask(ui + path, { headers })).toEqual([]);
      expect(await written(() => askOverHttp2(path, headers))).toEqual([]);
    });

    it.each(['evil.example', '203.0.113.7', 'proxy.local'])(
      'contains no requests without TLS to the host %s',
      async (host) => {
        const origin = `http://${host}`;
        expect(await ask(origin + signIn, post({ origin }))).toEqual([]);
        expect(await ask(`${origin}/.env`)).toEqual([]);
      },
    );

    it('contains no requests that any page can cause without TLS', async () => {
      const known = 'http://chat.example.com/.well-known';
      expect(await ask(`${known}/acme-challenge/none`)).toEqual([]);
      expect(await ask(`${known}/landfall/authority.crt`)).toEqual([]);
      // https://chat.example.com:80/ and http://chat.example.com:443/
      expect(await written(() => send(80, '\x16\x03\x01\x02\x00\x01'))).toEqual([]);
      const plain = 'GET / HTTP/1.1\r\nHost: chat.example.com\r\n\r\n';
      expect(await written(() => send(443, plain))).toEqual([]);
    });

    it.each([
      ['with host names', everything, 'http://chat.example.com'],
      ['without host names', {}, 'http://203.0.113.7'],
      ['without host names, over IPv6', {}, 'http://[2001:db8::7]'],
    ])('contains sign-ins of a site without TLS, %s, and no scans', async (_what, site, origin) => {
      await rig().serve({ ...site, tls: { mode: 'off' } });
      const ask = (url: string, asked: Asked = {}) =>
        written(() => rig().client.ask(url, asked), origin);
      const line = 'POST /api/v1/auths/ldap 400';
      expect(await ask(origin + signIn, post({ origin }))).toEqual([line]);
      expect(await ask(origin + signIn, post({ origin: 'http://evil.example' }))).toEqual([]);
      const rebound = 'http://evil.example';
      expect(await ask(rebound + signIn, post({ origin: rebound }))).toEqual([]);
      expect(await ask(`${origin}/.env?status=404`)).toEqual([]);
      await rig().serve(everything);
    });

    /** Sends a request and waits until the connection is closed. */
    async function askOverHttp2(path: string, headers: Record<string, string>): Promise<void> {
      const session = connectOverHttp2(ui, {
        ...{ host: rig().address, servername: 'chat.example.com', ca: rig().authority },
      });
      const closed = new Promise((resolve) => session.once('close', resolve));
      session.on('error', () => {});
      const stream = session.request({ ':path': path, ...headers });
      stream
        .on('error', () => {})
        .on('close', () => session.destroy())
        .resume();
      await closed;
    }

    async function send(port: number, bytes: string): Promise<string> {
      const socket = connect(port, rig().address);
      socket.write(bytes, 'latin1');
      return await text(socket);
    }
  });

  describe("a sign-in from another site's page", () => {
    const foreign = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];

    it.each(foreign)(
      'rejects a sign-in from another site before the password is checked: %o',
      async (headers) => {
        for (const path of [
          signIn,
          '/api/v1/auths/signin',
          '/api/v1/%61uths/signin',
          '//api/v1/auths/ldap',
        ]) {
          expect((await rig().client.ask(ui + path, post(headers))).status).toBe(403);
        }
      },
    );

    // Desktop programs based on a browser send these headers too.
    it.each(foreign)(
      'accepts a call of the relay by a tool with the headers of another site: %o',
      async (headers) => {
        const { url } = await rig().seen('https://api.example.com/v1/models', post(headers));
        expect(url).toBe('/v1/models');
      },
    );
  });

  describe('a site without host names', () => {
    it('serves a site without host names under its address only', async () => {
      await rig().serve({});
      const status = async (url: string) => (await rig().client.ask(url)).status;
      expect(await status('https://203.0.113.7/')).toBe(200);
      expect(await status('https://[2001:db8::7]/')).toBe(200);
      expect(await status('http://203.0.113.7/')).toBe(301);
      for (const host of ['evil.example', '203.0.113.7.evil.example', 'proxy.local']) {
        expect(await status(`https://${host}/`)).toBe(403);
        expect(await status(`http://${host}/`)).toBe(403);
      }
      expect(await status('http://127.0.0.1/.well-known/landfall/health')).toBe(200);
      await rig().serve(everything);
    });
  });
}
