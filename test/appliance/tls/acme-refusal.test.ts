import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRefusal } from '../../../appliance/tls/acme-refusal.ts';
import { problemKinds } from '../../../appliance/tls/problem-kinds.ts';

/** As certbot 5.8 prints it; 4.0 says Domain in place of Identifier. */
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

describe('names that an authority could not verify', () => {
  it.each(['Domain', 'Identifier'])('are read from blocks that say %s', (word) => {
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
  });

  it('have a remedy for another server that answered', () => {
    const { error } = readRefusal(
      unverified(block('chat.example.com', 'unauthorized', 'Invalid response: 404')),
      '',
    );
    expect(error.problems[0]?.hint).toContain(
      'Point the A and AAAA records of this name to this server',
    );
  });

  it('may be there with a type that nobody knows', () => {
    const { error } = readRefusal(unverified(block('a.example', 'weather', 'It rains')), '');
    expect(error.problems).toEqual([{ message: 'a.example: It rains', hint: undefined }]);
  });
});

describe('an authority that is asked too often', () => {
  const words =
    'There were too many requests of a given type :: too many failed authorizations (5) for "chat.example.com" in the last 1h0m0s, retry after 2026-11-21 09:12:13 UTC: see https://letsencrypt.org/docs/rate-limits/';

  it('says when it may be asked again', () => {
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

  it('may not say it, or say no time', () => {
    for (const detail of ['slow down', 'retry after 2026-99-99 99:99:99 UTC']) {
      const { error, retryAt } = readRefusal('', logged('rateLimited', `Too many :: ${detail}`));
      expect([error.code, retryAt]).toEqual(['ACME_RATE_LIMIT', undefined]);
    }
  });

  it('may say it of one name among others', () => {
    const output = unverified(
      block('a.example', 'connection', 'refused'),
      block('b.example', 'rateLimited', 'too many'),
    );
    expect(readRefusal(output, '').error.code).toBe('ACME_RATE_LIMIT');
  });
});

describe('an authority that refuses as a whole', () => {
  it.each([...problemKinds])(
    'for the reason %s has a remedy of its own',
    (type, { code, hint }) => {
      const { error } = readRefusal('', logged(type, 'Description :: what it found'));
      expect([error.code, error.hint]).toEqual([code, hint]);
      expect(error.message).toContain(`(${type}): what it found`);
    },
  );

  it('for a reason that nobody knows points at the log', () => {
    const { error } = readRefusal('', logged('weather', 'It rains'));
    expect(error.code).toBe('ACME_REFUSED');
    expect(error.message).toContain('(weather): It rains');
    expect(error.hint).toContain('letsencrypt.log');
  });

  // certbot answers a bad nonce itself and goes on; the log has it all the same.
  it('is taken by the last of its words', () => {
    const log =
      logged('badNonce', 'The nonce :: expired') +
      logged('caa', 'CAA records forbid :: CAA record for example.com prevents issuance');
    expect(readRefusal('', log).error.message).toContain('(caa)');
  });
});

describe('a certbot that never reached the authority', () => {
  it.each([
    ['requests.exceptions.ConnectionError: Max retries exceeded', 'ACME_UNREACHABLE'],
    ["HTTPSConnectionPool(host='x', port=443): Read timed out. (ReadTimeout)", 'ACME_UNREACHABLE'],
    ['ValueError: Requesting 10.0.0.1/dir:[Errno 111] Connection refused', 'ACME_UNREACHABLE'],
    ["requests.exceptions.ProxyError: ('Unable to connect to proxy')", 'ACME_UNREACHABLE'],
    ['[SSL: CERTIFICATE_VERIFY_FAILED] unable to get local issuer', 'ACME_UNREACHABLE'],
    ['certbot: error: unrecognized arguments: --ip-address 203.0.113.7', 'ACME_REFUSED'],
    ['Another instance of Certbot is already running.', 'ACME_REFUSED'],
  ])('says %j', (output, code) => {
    expect(readRefusal(output, '').error.code).toBe(code);
  });

  it('tells an authority that is an impostor from one that is away', () => {
    const impostor = readRefusal('Max retries exceeded (CERTIFICATE_VERIFY_FAILED)', '');
    expect(impostor.error.message).toBe('untrusted TLS certificate of the certificate authority');
  });

  it('is quoted with its last words', () => {
    const { error } = readRefusal('one\ntwo\n\nthree\nfour\nfive\n', '');
    expect(error.problems.map(({ message }) => message)).toEqual(['two', 'three', 'four', 'five']);
  });
});

describe('whatever certbot prints', () => {
  it('gives an error in plain, bounded text', () => {
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
