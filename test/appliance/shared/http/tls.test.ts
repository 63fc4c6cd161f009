import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { CertificateAuthority, type Wanted } from '../../../faulty-server/certificates.ts';
import { serve } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';

const program = fileURLToPath(new URL('./trusting-request.ts', import.meta.url));
const authority = new CertificateAuthority();
const closing: Array<() => Promise<void>> = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function secureServer(wanted?: Wanted): Promise<FaultyServer> {
  const tls = authority.issue(wanted);
  const server = await FaultyServer.start({ '/a': serve(Buffer.from('safe')) }, { tls });
  closing.push(() => server.close());
  return server;
}

function clientWith(ca?: string): HttpClient {
  const client = new HttpClient({ env: {}, ca });
  closing.push(() => client.close());
  return client;
}

describe('a server with a certificate of a private authority', () => {
  it('accepts a server with a certificate of a private authority if the authority is given', async () => {
    const server = await secureServer();
    const response = await clientWith(authority.cert).send({ url: server.url('/a') });
    expect((await response.bytes(10)).toString()).toBe('safe');
  });

  it('accepts a server if several authorities are given, with text between them', async () => {
    const server = await secureServer();
    const ca = `# ours\n${new CertificateAuthority('another').cert}\n# theirs\r\n${authority.cert}`;
    const response = await clientWith(ca).send({ url: server.url('/a') });
    expect(response.status).toBe(200);
    await response.discard();
  });

  it('rejects a server of an unknown private authority, with a hint to --ca', async () => {
    const server = await secureServer();
    await expect(clientWith().send({ url: server.url('/a') })).rejects.toMatchObject({
      code: 'NETWORK_TLS',
      message: expect.stringContaining('untrusted certificate authority'),
      hint: expect.stringContaining('--ca'),
      transient: false,
    });
  });

  it('rejects a server whose certificate has another authority of the same name', async () => {
    const server = await secureServer();
    const otherAuthority = new CertificateAuthority().cert;
    await expect(clientWith(otherAuthority).send({ url: server.url('/a') })).rejects.toMatchObject({
      code: 'NETWORK_TLS',
    });
  });
});

describe('the certificate authorities of the system', () => {
  it.runIf(process.platform === 'linux').each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
    'trusts the certificate authorities of the system if %s names them',
    async (variable) => {
      const server = await secureServer();
      const folder = await mkdtemp(join(tmpdir(), 'landfall-tls-'));
      const file = join(folder, 'ca.pem');
      await writeFile(file, authority.cert);
      const env = { ...process.env, [variable]: file };
      const request = [program, server.url('/a').href];
      const { stdout } = await promisify(execFile)(process.execPath, request, { env });
      await rm(folder, { recursive: true });
      expect(stdout).toBe('safe');
    },
  );
});

describe('an invalid certificate', () => {
  it('reports an expired certificate, with a hint to the clock', async () => {
    const server = await secureServer({ days: -1 });
    await expect(clientWith(authority.cert).send({ url: server.url('/a') })).rejects.toMatchObject({
      code: 'NETWORK_TLS',
      hint: expect.stringContaining('clock'),
    });
  });

  it('reports a certificate for another host name', async () => {
    const server = await secureServer({ addresses: ['127.0.0.2'], names: ['other.example'] });
    await expect(clientWith(authority.cert).send({ url: server.url('/a') })).rejects.toMatchObject({
      code: 'NETWORK_TLS',
      message: expect.stringContaining('for another host name'),
    });
  });
});

describe('a server without TLS', () => {
  it('reports a server without TLS, but no untrusted certificate', async () => {
    const plain = await FaultyServer.start({});
    closing.push(() => plain.close());
    const url = new URL(`https://${plain.host}/`);
    await expect(clientWith().send({ url })).rejects.toMatchObject({
      code: 'NETWORK_TLS',
      message: expect.stringContaining('the TLS handshake failed'),
    });
  });
});

describe('invalid additional authorities', () => {
  it.each([
    ['empty text', ''],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n'],
    ['a damaged certificate', authority.cert.replace(/[A-Za-z]{8}/g, 'AAAAAAAA')],
  ])('rejects invalid additional authorities when the client is created: %s', (_kind, ca) => {
    expect(() => new HttpClient({ env: {}, ca })).toThrow(
      expect.objectContaining({ code: 'NETWORK_TLS', hint: expect.stringContaining('BEGIN') }),
    );
  });
});
