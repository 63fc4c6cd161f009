import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { probeGateway } from '../../../../appliance/stages/tls/probe-gateway.ts';
import { findNamesHere } from '../../../../appliance/stages/tls/resolve-hosts.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const name = 'chat.example.com';
const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts a network in front of a server that redirects every request to HTTPS, as "Always Use HTTPS" does. */
async function cloudflare(host: TemporaryHost, forwards: boolean) {
  const headers = { 'cf-ray': '93f0c1d2e3a4b5c6-FRA' };
  const http = createServer(({ headers: { host: asked }, url }, response) => {
    response.writeHead(301, { ...headers, location: `https://${asked}${url}` }).end();
  });
  const https = createTlsServer(new CertificateAuthority().issue(), ({ url = '' }, response) => {
    if (!forwards) return void response.writeHead(526, headers).end();
    const file = host.path('var/lib/landfall/acme/challenges', url);
    response.writeHead(200, headers).end(readFileSync(file, 'utf8'));
  });
  return { http: await listening(http), https: await listening(https as unknown as Server) };
}

describe('the request of a certificate authority', () => {
  it('arrives through a network that redirects to HTTPS and forwards', async () => {
    const host = TemporaryHost.with({});
    const ports = await cloudflare(host, true);
    expect(await probeGateway(host, name, '127.0.0.1', ports)).toEqual({ responder: 'gateway' });
  });

  it('names the network that does not forward it', async () => {
    const host = TemporaryHost.with({}, { 'ip -json address': '[]' });
    const ports = await cloudflare(host, false);
    expect(await probeGateway(host, name, '127.0.0.1', ports)).toEqual({
      responder: 'other',
      network: 'Cloudflare',
    });
    const resolve = async () => ['127.0.0.1'];
    const { error, missing } = await findNamesHere(contextFor(host), [name], resolve, ports);
    expect(missing).toEqual([]);
    expect(error?.problems).toMatchObject([
      {
        message: expect.stringContaining('of Cloudflare, which does not forward'),
        hint: expect.stringContaining('DNS only'),
      },
    ]);
  });

  it('knows no network behind a server without its headers', async () => {
    const http = await listening(createServer((_, response) => response.end('hello')));
    const host = TemporaryHost.with({});
    const found = await probeGateway(host, name, '127.0.0.1', { http, https: http });
    expect(found).toEqual({ responder: 'other', network: undefined });
  });
});
