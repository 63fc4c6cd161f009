import { describe, expect, it } from 'vitest';
import { networkError } from '#http/failures.ts';

const url = new URL('https://user:password@registry.example:5000/v2/?X-Signature=secret');
const failing = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const explained = (cause: unknown, proxy?: string) => networkError(cause, { url, proxy });

describe('a network failure', () => {
  it.each([
    ['ENOTFOUND', 'NETWORK_UNREACHABLE', 'the host name does not exist', false],
    [
      'EAI_AGAIN',
      'NETWORK_UNREACHABLE',
      'the host name cannot be resolved (temporary failure)',
      true,
    ],
    ['ECONNREFUSED', 'NETWORK_UNREACHABLE', 'connection refused', true],
    ['EHOSTUNREACH', 'NETWORK_UNREACHABLE', 'no route to host', true],
    ['ENETUNREACH', 'NETWORK_UNREACHABLE', 'no route to host', true],
    ['ECONNRESET', 'NETWORK_UNREACHABLE', 'the connection was lost', true],
    ['EPIPE', 'NETWORK_UNREACHABLE', 'the connection was lost', true],
    ['UND_ERR_SOCKET', 'NETWORK_UNREACHABLE', 'the connection was lost', true],
    ['ETIMEDOUT', 'NETWORK_TIMEOUT', 'the connection timed out', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'NETWORK_TIMEOUT', 'the connection timed out', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'NETWORK_TIMEOUT', 'the response timed out', true],
    ['UND_ERR_BODY_TIMEOUT', 'NETWORK_TIMEOUT', 'the transfer stalled', true],
    ['SOMETHING_ELSE', 'NETWORK_UNREACHABLE', 'the request failed', false],
    ['toString', 'NETWORK_UNREACHABLE', 'the request failed', false],
  ])('%s is %s: %s', (code, expected, text, transient) => {
    const cause = failing(code);
    expect(explained(cause)).toMatchObject({
      code: expected,
      message: `registry.example:5000 is unreachable: ${text}`,
      hint: expect.any(String),
      transient,
      cause,
    });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'expired or not yet valid'],
    ['CERT_NOT_YET_VALID', 'expired or not yet valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
    ['CERT_SIGNATURE_FAILURE', 'untrusted'],
    ['CERT_REVOKED', 'untrusted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'handshake failed'],
    ['EPROTO', 'handshake failed'],
  ])('%s is a TLS error and not retried', (code, text) => {
    expect(explained(failing(code))).toMatchObject({
      code: 'NETWORK_TLS',
      message: expect.stringContaining(text),
      transient: false,
    });
  });

  it.each(['ENOTFOUND', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'])(
    '%s on a server has hints that apply there',
    (code) => {
      for (const proxy of [undefined, 'proxy:8080']) {
        const onServer = networkError(failing(code), { url, proxy, settings: 'site' });
        expect(onServer.hint).toBeTruthy();
        expect(onServer.hint).not.toMatch(/--|[A-Z]_PROXY/);
      }
      expect(explained(failing('ENOTFOUND')).hint).toContain('--proxy');
      expect(explained(failing('CERT_REVOKED')).hint).toContain('--ca');
    },
  );

  it('finds a network failure in a wrapping error', () => {
    const inner = failing('ECONNREFUSED');
    const both = new AggregateError([inner, failing('ENETUNREACH')]);
    expect(explained(new Error('wrapped', { cause: both })).message).toContain('refused');
  });

  it('with circular causes is handled', () => {
    const error: Error = new Error('round');
    error.cause = error;
    expect(explained(error)).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });

  it.each([undefined, null, 'text', 7])('may be caused by any value: %s', (cause) => {
    expect(explained(cause)).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });

  it('shows no user name, password or query', () => {
    for (const code of ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ECONNRESET']) {
      const { message, hint } = explained(failing(code), 'proxy:8080');
      expect(message).toContain('registry.example:5000');
      expect(`${message} ${hint}`).not.toMatch(/user|password|secret/);
    }
  });
});

describe('a network failure behind a proxy', () => {
  it('reports a network failure while connecting to a proxy as a proxy error', () => {
    expect(explained(failing('ENOTFOUND'), 'proxy:8080')).toMatchObject({
      code: 'NETWORK_PROXY',
      message:
        'the proxy proxy:8080 cannot reach registry.example:5000: the host name does not exist',
      transient: false,
    });
  });

  it('reports a network failure after a proxy has connected as a server error', () => {
    expect(explained(failing('ECONNRESET'), 'proxy:8080').code).toBe('NETWORK_UNREACHABLE');
  });

  it('derives no proxy error from text that a server sent', () => {
    const parser = Object.assign(new Error('not HTTP (407)'), { name: 'HTTPParserError' });
    expect(explained(parser, 'proxy:8080')).toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringContaining('not HTTP'),
    });
  });
});
