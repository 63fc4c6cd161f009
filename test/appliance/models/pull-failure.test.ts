import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTransient } from '#http/retry.ts';
import { pullFailure } from '../../../appliance/models/pull-failure.ts';

const source = {
  name: 'qwen3:8b',
  remote: 'mirror.example/library/qwen3:8b',
  host: 'mirror.example',
  insecure: false,
};

describe('what an engine says of a pull that failed', () => {
  it.each([
    ['dial tcp: lookup registry.ollama.ai: no such host', 'the name of the place is unknown here'],
    ['dial tcp: lookup registry.ollama.ai on 10.0.0.1:53: server misbehaving', 'unknown here'],
    ['read tcp 10.0.0.2:1->10.0.0.3:443: connection reset by peer', 'connection reset by peer'],
    ['max retries exceeded: EOF', 'max retries exceeded: EOF'],
    ['digest mismatch, file must be downloaded again', 'digest mismatch'],
    ['net/http: TLS handshake timeout', 'TLS handshake timeout'],
  ])('may pass: %s', (words, message) => {
    const error = pullFailure(source, words);
    expect(error.message).toContain(message);
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    'pull model manifest: file does not exist',
    'pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama.',
    'http: no Location header in response',
    'realm host "other.example" does not match original host "mirror.example"',
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ])('does not pass: %s', (words) => {
    expect(isTransient(pullFailure(source, words))).toBe(false);
  });

  it('becomes a message of one line with something to do, whatever it is', () => {
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

  it('keeps no query of an address', () => {
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
