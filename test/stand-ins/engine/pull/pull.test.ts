import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CertificateAuthority, type Wanted } from '../../../faulty-server/certificates.ts';
import {
  cutAfter,
  html,
  inTurn,
  redirect,
  serve,
  short,
  status,
  unauthorized,
  wrongBytes,
} from '../../../faulty-server/faults.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { ModelRegistry } from '../../model-registry/model-registry.ts';
import { ModelStore } from '../models/model-store.ts';
import { tinyModel } from '../models/put-tiny-model.ts';
import { pull } from './pull.ts';

const tiny = tinyModel(3);
const [digest = '', weights = Buffer.alloc(0)] = [...tiny.blobs][0] ?? [];
const blobPath = `/v2/library/tiny/blobs/${digest}`;
const pace = { retry: 1, directUrl: 100 };

let folder: string;
let registry: ModelRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-pull-'));
  registry = await ModelRegistry.start();
  registry.push('library/tiny:1b', tiny);
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

/** Pulls into an empty store. Returns the error message, or the last status. */
async function outcome(model = `${registry.host}/library/tiny:1b`, insecure = true) {
  const store = new ModelStore(folder);
  await store.prepare();
  let last = '';
  try {
    for await (const { status: said } of pull({ model, insecure }, store, undefined, pace)) {
      last = said;
    }
  } catch (error) {
    last = error instanceof Error ? error.message : String(error);
  }
  return last;
}

describe('a pull of the stand-in for Ollama', () => {
  it('accepts a 307 to another host name', async () => {
    expect(await outcome()).toBe('success');
    const file = join(folder, 'blobs', digest.replace(':', '-'));
    expect(readFileSync(file)).toEqual(weights);
    expect(readdirSync(join(folder, 'blobs'))).toHaveLength(tiny.blobs.size);
  });

  it('follows a redirect to the same host name', async () => {
    const content = registry.blobUrl('library/tiny', digest);
    registry.fault(blobPath, redirect(registry.url('/moved'), 302));
    registry.fault('/moved', redirect(content, 307));
    expect(await outcome()).toBe('success');
  });

  it('resumes an interrupted part', async () => {
    registry.faultOf(digest, inTurn(cutAfter(200_000, weights), serve(weights)));
    expect(await outcome()).toBe('success');
    const asked = registry.contentPaths().filter((path) => path.includes(digest));
    expect(asked).toHaveLength(2);
  });
});

describe('a blob that the stand-in for Ollama rejects', () => {
  const elsewhere = 'http://localhost:9/x';
  it.each<[string, Handler, string]>([
    ['is served directly', serve(weights), 'http: no Location header in response'],
    ['is behind a 302', redirect(elsewhere, 302), 'unexpected status code 302'],
    ['is behind a 308', redirect(elsewhere, 308), 'unexpected status code 308'],
    ['has a 307 without a Location', status(307), 'http: no Location header in response'],
    ['loops on one host name', redirect(blobPath, 307), 'context deadline exceeded'],
    ['fails with 503', status(503), 'context deadline exceeded'],
  ])('%s', async (_case, handler, text) => {
    registry.fault(blobPath, handler);
    expect(await outcome()).toBe(text);
  });

  it('rejects a blob at the same host name, on another port', async () => {
    const content = registry.blobUrl('library/tiny', digest);
    content.hostname = '127.0.0.1';
    registry.fault(blobPath, redirect(content, 307));
    expect(await outcome()).toBe('http: no Location header in response');
  });

  it('rejects a blob that its host truncates', async () => {
    registry.faultOf(digest, short(100, weights));
    expect(await outcome()).toBe('max retries exceeded: EOF');
  });

  it('rejects a blob whose download is interrupted at each attempt', async () => {
    registry.faultOf(digest, cutAfter(1, weights));
    expect(await outcome()).toBe('max retries exceeded: unexpected EOF');
  });

  it('rejects a blob with different bytes', async () => {
    registry.faultOf(digest, wrongBytes(weights));
    expect(await outcome()).toMatch(
      /^digest mismatch, file must be downloaded again: want sha256:\w{64}, got sha256:\w{64}$/,
    );
    expect(readdirSync(join(folder, 'blobs'))).not.toContain(digest.replace(':', '-'));
  });
});

describe('a manifest that the stand-in for Ollama cannot fetch', () => {
  it.each<[string, Handler, string]>([
    [
      'the page of a captive portal',
      html(),
      "invalid character '<' looking for beginning of value",
    ],
    ['an empty response', status(200), 'unexpected end of JSON input'],
    ['404', status(404), 'file does not exist'],
    ['403', status(403, {}, 'denied'), '403: denied'],
    [
      '412',
      status(412, {}, 'requires a newer version of Ollama'),
      '412: requires a newer version of Ollama',
    ],
    ['429', status(429, {}, 'slow down'), '429: slow down'],
    ['503', status(503), '503: '],
    [
      '401 of another host',
      unauthorized('Bearer realm="https://auth.example/token"'),
      'realm host "auth.example" does not match original host "HOST"',
    ],
  ])('because of %s', async (_case, handler, text) => {
    registry.fault('/v2/library/tiny/manifests/1b', handler);
    expect(await outcome()).toBe(`pull model manifest: ${text.replace('HOST', registry.host)}`);
  });

  it('because the host refuses connections', async () => {
    await registry.close();
    const { host } = registry;
    expect(await outcome()).toBe(
      `pull model manifest: Get "http://${host}/v2/library/tiny/manifests/1b": dial tcp ${host}: connect: connection refused`,
    );
  });

  it('because the host name is unknown', async () => {
    expect(await outcome('none.invalid/library/tiny:1b')).toMatch(
      /^pull model manifest: Get "http:.*": dial tcp: lookup none\.invalid: (no such host|server misbehaving)$/,
    );
  });

  it('because the registry speaks plain HTTP', async () => {
    expect(await outcome(`${registry.host}/library/tiny:1b`, false)).toMatch(
      /: http: server gave HTTP response to HTTPS client$/,
    );
  });
});

describe('a pull of the stand-in for Ollama over TLS', () => {
  const authority = new CertificateAuthority();
  const known = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(known));

  it.each<[string, Wanted, string]>([
    ['an expired certificate', { days: -1 }, 'certificate has expired or is not yet valid'],
    [
      'a certificate for another name',
      { addresses: [], names: ['other.example'] },
      'certificate is valid for other.example, not 127.0.0.1',
    ],
  ])('rejects a pull over TLS with %s', async (_case, wanted, text) => {
    setDefaultCACertificates([...known, authority.cert]);
    expect(await overTls(wanted)).toMatch(tlsFailure(text));
  });

  it('rejects a certificate of an unknown authority, and accepts that of a known one', async () => {
    expect(await overTls({})).toMatch(tlsFailure('certificate signed by unknown authority'));
    setDefaultCACertificates([...known, authority.cert]);
    expect(await overTls({})).toBe('success');
  });

  const tlsFailure = (text: string) =>
    new RegExp(
      `^pull model manifest: Get "https:.*": tls: failed to verify certificate: x509: ${text}$`,
    );

  async function overTls(wanted: Wanted): Promise<string> {
    const secure = await ModelRegistry.start({ tls: authority.issue(wanted) });
    secure.push('library/tiny:1b', tiny);
    const said = await outcome(`${secure.host}/library/tiny:1b`, false);
    await secure.close();
    return said;
  }
});
