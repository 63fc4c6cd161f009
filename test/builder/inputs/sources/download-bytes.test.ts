import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { downloadBytes } from '../../../../builder/inputs/sources/download-bytes.ts';

let server: Server;
let http: HttpClient;
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

/** Starts a server that responds as given, and a client; through it as a proxy if `asProxy`. */
async function startWith(respond: RequestListener, asProxy = false): Promise<string> {
  server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = new HttpClient({ env: {}, ...(asProxy ? { proxy: origin } : {}) });
  return origin;
}

describe('the download of a small file', () => {
  it('ends after a total timeout while the server sends a byte at a time', async () => {
    const sending = new Set<NodeJS.Timeout>();
    const origin = await startWith((_, response) => {
      response.writeHead(200);
      sending.add(setInterval(() => response.write(' '), 20));
    });
    const reading = downloadBytes(new URL(origin), 1000, { http, totalTimeout: 300 });
    await expect(reading).rejects.toMatchObject({ code: 'NETWORK_TIMEOUT' });
    for (const timer of sending) clearInterval(timer);
  });

  it.each([
    ...['http://127.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://localhost/'],
    ...['http://169.254.169.254/latest/meta-data/', 'http://[::1]/', 'http://[fe80::1]/'],
    ...['http://[::ffff:169.254.169.254]/', 'http://[::ffff:7f00:1]/', 'http://[64:ff9b::a00:1]/'],
    ...['http://[::ffff:0:127.0.0.1]/', 'http://[2001:0:7f00:1::]/'],
    ...['http://10.0.0.1/', 'http://192.168.1.1/', 'http://100.100.100.200/', 'http://0.0.0.0/'],
    ...['http://[fd00:ec2::254]/', 'http://app.localhost/', 'http://localhost./'],
  ])('follows no redirect from a public host to %s', async (location) => {
    const asked: string[] = [];
    await startWith((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location }).end();
    }, true);
    const reading = downloadBytes(new URL('http://public.example/a'), 1000, { http });
    await expect(reading).rejects.toMatchObject({
      code: 'HTTP_REDIRECT',
      message: expect.stringContaining('leads to the inner address'),
    });
    expect(asked).toEqual(['http://public.example/a']);
  });

  it.each(['http://public.example', 'http://93.184.215.14', 'http://[2600::1]'])(
    'follows a redirect between public hosts, such as %s',
    async (origin) => {
      await startWith((request, response) => {
        if (request.url?.endsWith('/b')) response.end('content');
        else response.writeHead(302, { location: `${origin}/b` }).end();
      }, true);
      const url = new URL('http://mirror.example/a');
      expect(Buffer.from(await downloadBytes(url, 1000, { http })).toString()).toBe('content');
    },
  );

  it('follows a redirect inside of a network', async () => {
    const origin = await startWith((request, response) => {
      if (request.url === '/b') response.end('content');
      else response.writeHead(302, { location: '/b' }).end();
    });
    const bytes = await downloadBytes(new URL(`${origin}/a`), 1000, { http });
    expect(Buffer.from(bytes).toString()).toBe('content');
  });
});
