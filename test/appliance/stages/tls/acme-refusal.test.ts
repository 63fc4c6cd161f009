import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemKinds, readRefusal } from '../../../../appliance/stages/tls/acme-refusal.ts';

/** Output of certbot 5.8; 4.0 prints Domain instead of Identifier. */
const block = (name: string, type: string, detail: string, word = 'Identifier') => `
  ${word}: ${name}
  Type:   ${type}
  Detail: ${detail}
`;

const unverified = (
  ...blocks: string[]
) => `Saving debug log to /var/log/letsencrypt/letsencrypt.log
Requesting a certificate for chat.example.com

Certbot failed to authenticate some domains (authenticator: webroot). The Certificate Authority reported these problems:
${blocks.join('')}
Hint: The Certificate Authority failed to download the temporary challenge files created by Certbot.

Some challenges have failed.
`;

const logged = (
  type: string,
  words: string,
) => `2026-11-21 08:00:00,000:DEBUG:certbot._internal.log:Exiting abnormally:
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/acme/client.py", line 735, in _check_response
    raise messages.Error.from_json(jobj)
acme.messages.Error: urn:ietf:params:acme:error:${type} :: ${words}
2026-11-21 08:00:00,001:ERROR:certbot._internal.log:An unexpected error occurred:
`;

describe('names that failed verification', () => {
  it.each(['Domain', 'Identifier'])(
    'parses names that failed verification from blocks with %s',
    (word) => {
      const output = unverified(
        block('chat.example.com', 'connection', '203.0.113.7: Connection refused', word),
        block('docs.example.com', 'dns', 'DNS problem: NXDOMAIN looking up A', word),
      );
      const { error } = readRefusal(output, '');
      expect(error.code).toBe('ACME_CHALLENGE');
      expect(error.problems).toEqual([
        {
          message: 'chat.example.com: 203.0.113.7: Connection refused',
          hint: expect.stringContaining('Make port 80 reachable'),
        },
        {
          message: 'docs.example.com: DNS problem: NXDOMAIN looking up A',
          hint: expect.stringContaining('Create a public A or AAAA record'),
        },
      ]);
    },
  );

  it.each([
    'Invalid response from https://dnspod.qcloud.com/static/webblock.html?d=chat.example.com: 404',
    'Invalid response from http://chat.example.com/x: "<title>Non-compliance ICP Filing</title>"',
  ])('hints at an ICP filing where a cloud blocks the domain: %s', (detail) => {
    const { error } = readRefusal(
      unverified(block('chat.example.com', 'unauthorized', detail)),
      '',
    );
    expect(error.problems[0]?.hint).toMatch(/^File the domain \(ICP 备案\)/);
  });

  it('name the ICP filing as a possible cause of status 403', () => {
    const detail = '203.0.113.7: Invalid response from http://chat.example.com/.well-known/x: 403';
    const { error } = readRefusal(
      unverified(block('chat.example.com', 'unauthorized', detail)),
      '',
    );
    expect(error.problems[0]?.hint).toContain('another server responded');
    expect(error.problems[0]?.hint).toContain('备案');
  });

  it('prints a hint for names that point to another server', () => {
    const { error } = readRefusal(
      unverified(block('chat.example.com', 'unauthorized', 'Invalid response: 404')),
      '',
    );
    expect(error.problems[0]?.hint).toContain(
      'Point the A and AAAA records of this name to this server',
    );
  });

  it('may have an unknown type', () => {
    const { error } = readRefusal(unverified(block('a.example', 'weather', 'It rains')), '');
    expect(error.problems).toEqual([{ message: 'a.example: It rains', hint: undefined }]);
  });
});

describe('a rate limit of an authority', () => {
  const words =
    'There were too many requests of a given type :: too many failed authorizations (5) for "chat.example.com" in the last 1h0m0s, retry after 2026-11-21 09:12:13 UTC: see https://letsencrypt.org/docs/rate-limits/';

  it('contains the time of the next request', () => {
    const { error, retryAt } = readRefusal(
      'An unexpected error occurred:\n',
      logged('rateLimited', words),
    );
    expect([error.code, retryAt?.toISOString()]).toEqual([
      'ACME_RATE_LIMIT',
      '2026-11-21T09:12:13.000Z',
    ]);
    expect(error.message).toContain('too many failed authorizations (5)');
  });

  it('may contain no time or an invalid one', () => {
    for (const detail of ['slow down', 'retry after 2026-99-99 99:99:99 UTC']) {
      const { error, retryAt } = readRefusal('', logged('rateLimited', `Too many :: ${detail}`));
      expect([error.code, retryAt]).toEqual(['ACME_RATE_LIMIT', undefined]);
    }
  });

  it('may concern one of several names', () => {
    const output = unverified(
      block('a.example', 'connection', 'refused'),
      block('b.example', 'rateLimited', 'too many'),
    );
    expect(readRefusal(output, '').error.code).toBe('ACME_RATE_LIMIT');
  });
});

describe('a rejection of a whole request', () => {
  it.each([...problemKinds])('for the reason %s has a specific hint', (type, { code, hint }) => {
    const { error } = readRefusal('', logged(type, 'Description :: what it found'));
    expect([error.code, error.hint]).toEqual([code, hint.en]);
    expect(error.message).toContain(`(${type}): what it found`);
  });

  it('hints at the log for a rejection of an unknown type', () => {
    const { error } = readRefusal('', logged('weather', 'It rains'));
    expect(error.code).toBe('ACME_REFUSED');
    expect(error.message).toContain('(weather): It rains');
    expect(error.hint).toContain('letsencrypt.log');
  });

  // certbot retries a bad nonce, but the log still contains it.
  it('returns the last problem in the log as the reason of a rejection', () => {
    const log =
      logged('badNonce', 'The nonce :: expired') +
      logged('caa', 'CAA records forbid :: CAA record for example.com prevents issuance');
    expect(readRefusal('', log).error.message).toContain('(caa)');
  });
});

describe('certbot without a connection to the authority', () => {
  it.each([
    ['requests.exceptions.ConnectionError: Max retries exceeded', 'ACME_UNREACHABLE'],
    ["HTTPSConnectionPool(host='x', port=443): Read timed out. (ReadTimeout)", 'ACME_UNREACHABLE'],
    ['ValueError: Requesting 10.0.0.1/dir:[Errno 111] Connection refused', 'ACME_UNREACHABLE'],
    ["requests.exceptions.ProxyError: ('Unable to connect to proxy')", 'ACME_UNREACHABLE'],
    ['[SSL: CERTIFICATE_VERIFY_FAILED] unable to get local issuer', 'ACME_UNREACHABLE'],
    ['certbot: error: unrecognized arguments: --ip-address 203.0.113.7', 'ACME_REFUSED'],
    ['Another instance of Certbot is already running.', 'ACME_REFUSED'],
  ])('prints %j', (output, code) => {
    expect(readRefusal(output, '').error.code).toBe(code);
  });

  it('distinguishes an untrusted authority from an unreachable one', () => {
    const impostor = readRefusal('Max retries exceeded (CERTIFICATE_VERIFY_FAILED)', '');
    expect(impostor.error.message).toBe('untrusted TLS certificate of the certificate authority');
  });

  it('quotes the last lines of certbot without a connection to the authority', () => {
    const { error } = readRefusal('one\ntwo\n\nthree\nfour\nfive\n', '');
    expect(error.problems.map(({ message }) => message)).toEqual(['two', 'three', 'four', 'five']);
  });
});

describe('any output of certbot', () => {
  it('becomes an error in plain, bounded text', () => {
    const word = fc.constantFrom(
      ...['urn:ietf:params:acme:error:', 'rateLimited', ' :: ', 'Identifier:', 'Type:', 'Detail:'],
      ...['\n', ' ', 'retry after ', '2026-11-21 09:12:13', '\u001b[31m', '\u202e'],
    );
    const text = fc.array(fc.oneof(word, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (output, log) => {
        const { error, retryAt } = readRefusal(output, log);
        const lines = [error.message, ...error.problems.map(({ message }) => message)];
        for (const line of lines) {
          expect(line.length).toBeLessThan(1000);
          expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        }
        expect(retryAt === undefined || !Number.isNaN(retryAt.getTime())).toBe(true);
      }),
    );
  });
});
