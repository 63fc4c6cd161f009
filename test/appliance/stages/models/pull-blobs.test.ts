import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTransient } from '#http/retry.ts';
import { pullFailure } from '../../../../appliance/stages/models/pull-model.ts';
import { pullReasons } from '../../../../appliance/stages/models/pull-reasons.ts';

const source = {
  name: 'qwen3:8b',
  remote: 'mirror.example/library/qwen3:8b',
  host: 'mirror.example',
  insecure: false,
};

const manifest = 'pull model manifest:';
const get = 'Get "https://registry.ollama.ai/v2/library/qwen3/manifests/8b":';
const unverified = `${manifest} ${get} tls: failed to verify certificate: x509:`;

/** Messages of Ollama and Go, and the reported cause. */
const retried: ReadonlyArray<[words: string, cause: string]> = [
  [`${manifest} 429: Too Many Requests`, 'rate-limited by the registry'],
  [`${manifest} 500: `, 'the registry failed'],
  [`${manifest} 503: <html>certificate of x509: unauthorized</html>`, 'the registry failed'],
  ['502', 'the registry failed'],
  [
    'digest mismatch, file must be downloaded again: want sha256:a, got sha256:b',
    'digest mismatch',
  ],
  [
    `${get} proxyconnect tcp: dial tcp 10.0.0.2:3128: connect: connection refused`,
    'the proxy is unreachable',
  ],
  [`${get} Forbidden`, 'the proxy is unreachable, or refused'],
  [`${get} dial tcp: lookup registry.ollama.ai: no such host`, 'host name not found in DNS'],
  [`${get} dial tcp: lookup registry.ollama.ai on 10.0.0.1:53: server misbehaving`, 'in DNS'],
  [`${get} dial tcp: lookup registry.ollama.ai on 10.0.0.1:53: read udp: i/o timeout`, 'in DNS'],
  [`${manifest} ${get} dial tcp 10.0.0.3:443: connect: connection refused`, 'connection failed'],
  [`${get} dial tcp 10.0.0.3:443: connect: no route to host`, 'connection failed'],
  [`${get} dial tcp 10.0.0.3:443: connect: network is unreachable`, 'connection failed'],
  [`${get} dial tcp 10.0.0.3:443: i/o timeout`, 'connection failed'],
  [`${get} net/http: TLS handshake timeout`, 'connection failed'],
  ['context deadline exceeded', 'connection failed'],
  ['read tcp 10.0.0.2:1->10.0.0.3:443: read: connection reset by peer', 'connection failed'],
  ['max retries exceeded: unexpected EOF', 'connection failed'],
  [`${manifest} ${get} EOF`, 'connection failed'],
  ['an unknown message', 'unknown error'],
];

const final: ReadonlyArray<[words: string, cause: string]> = [
  [`${manifest} file does not exist`, 'model or tag not found'],
  ['invalid model name', 'model or tag not found'],
  [`${manifest} 404: page not found`, 'model or tag not found'],
  [`${manifest} 401: `, 'authentication required'],
  [`${manifest} unauthorized: access denied`, 'authentication required'],
  ['realm host "other.example" does not match original host "mirror.example"', 'authentication'],
  [`${manifest} 403: blocked`, 'access denied'],
  [`${manifest} 406: `, 'the registry rejected the request'],
  [
    `${manifest} 412: The model you are attempting to pull requires a newer version of Ollama.`,
    'the model requires a newer version of Ollama',
  ],
  [`${manifest} 400: Client sent an HTTP request to an HTTPS server.\n`, 'requires HTTPS'],
  [
    `${manifest} 400: <html>\n<title>400 The plain HTTP request was sent to HTTPS port</title>`,
    'the mirror requires HTTPS',
  ],
  [`${manifest} ${get} http: server gave HTTP response to HTTPS client`, 'speaks plain HTTP'],
  ['http: no Location header in response', 'does not redirect blobs as Ollama requires'],
  ['unexpected status code 302', 'does not redirect blobs as Ollama requires'],
  [`${manifest} invalid character '<' looking for beginning of value`, 'not a model manifest'],
  [`${manifest} unexpected end of JSON input`, 'not a model manifest'],
  ['this model requires MLX support, but the MLX runtime is not available', 'safetensors'],
  [`${unverified} certificate signed by unknown authority`, 'untrusted TLS certificate'],
  [
    `${unverified} certificate has expired or is not yet valid: current time is`,
    'untrusted TLS certificate',
  ],
  [
    `${unverified} certificate is valid for a.example, not mirror.example`,
    'untrusted TLS certificate',
  ],
  [`${unverified} cannot validate certificate for 10.0.0.2 because`, 'untrusted TLS certificate'],
  ['max retries exceeded: remote error: tls: handshake failure', 'untrusted TLS certificate'],
  ['max retries exceeded: write /root/.ollama/models/x: no space left on device', 'no space left'],
  ['open /root/.ollama/models/blobs/x-partial: permission denied', 'cannot write to its volume'],
];

describe('an error of a pull in Ollama', () => {
  it.each(retried)('retries a pull in Ollama after a transient error: %s', (words, cause) => {
    const error = pullFailure(source, words);
    expect(error.message).toMatch(/^cannot pull qwen3:8b from mirror\.example: /);
    expect(error.message).toContain(cause);
    expect(isTransient(error)).toBe(true);
  });

  it.each(final)('stops a pull in Ollama after a permanent error: %s', (words, cause) => {
    const error = pullFailure(source, words);
    expect(error.message).toContain(cause);
    expect(isTransient(error)).toBe(false);
  });

  it('returns a separate code only for a full disk', () => {
    const codes = [...retried, ...final].map(([words]) => pullFailure(source, words).code);
    expect(codes.filter((code) => code !== 'MODEL_FAILED')).toEqual(['DISK_FULL']);
  });

  it('covers each entry of the table of pull errors with an example', () => {
    const reached = [...retried, ...final].map(([words]) =>
      pullReasons.find((each) => each.words.test(words)),
    );
    expect(pullReasons.filter((each) => !reached.includes(each))).toEqual([]);
  });

  it('becomes one line of plain text with a hint, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 2000 }), (words) => {
        const { message, hint, problems } = pullFailure(source, words);
        const texts = [message, ...problems.map((problem) => problem.message)];
        for (const text of texts) {
          expect(text).not.toMatch(/\p{Cc}/u);
          expect(text.length).toBeLessThan(600);
        }
        expect(hint).toBeTruthy();
      }),
    );
  });

  it('shows an error of a pull without the query of a URL', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9%=&-]{8,40}$/), (secret) => {
        const words = `Get "https://cdn.example/x?X-Amz-Signature=${secret}": EOF`;
        const { message, problems } = pullFailure(source, words);
        const said = JSON.stringify([message, problems]);
        expect(said).toContain('https://cdn.example/x');
        expect(said).not.toContain(secret);
      }),
    );
  });
});
