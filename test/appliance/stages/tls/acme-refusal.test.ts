import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRefusal, saysRateLimit } from '../../../../appliance/stages/tls/acme-refusal.ts';
import { problemKinds } from '../../../../appliance/stages/tls/problem-kinds.ts';

const names = ['chat.example.com', 'docs.example.com'];

/** The log of lego 5.6 with `--log.format json`. */
const logOf = (error: string) =>
  [
    { level: 'INFO', msg: 'Obtaining bundled SAN certificate.', domains: names.join(', ') },
    { level: 'ERROR', msg: 'Error', error },
  ]
    .map((entry) => `${JSON.stringify({ time: '2026-11-30T08:00:00Z', ...entry })}\n`)
    .join('');

const problem = (type: string, detail: string) =>
  `acme: error: 400 :: urn:ietf:params:acme:error:${type} :: ${detail}`;
const unverified = (...parts: ReadonlyArray<readonly [name: string, error: string]>) =>
  logOf(
    `obtain certificate: resolver: one or more domains had a problem:${parts
      .map(([name, error]) => ` [${name}: ${error}]`)
      .join('')}`,
  );
const refusalOf = (output: string) => readRefusal(output, names);

describe('names that failed verification', () => {
  it('reports for each its problem and a hint', () => {
    const { error } = refusalOf(
      unverified(
        ['chat.example.com', problem('connection', '203.0.113.7: [a] Connection refused')],
        ['docs.example.com', problem('dns', 'DNS problem: NXDOMAIN looking up A')],
      ),
    );
    expect(error.code).toBe('ACME_CHALLENGE');
    expect(error.problems).toEqual([
      {
        message: 'chat.example.com: 203.0.113.7: [a] Connection refused',
        hint: expect.stringContaining('Make port 80 reachable'),
      },
      {
        message: 'docs.example.com: DNS problem: NXDOMAIN looking up A',
        hint: expect.stringContaining('Create a public A or AAAA record'),
      },
    ]);
  });

  it.each([
    'Invalid response from https://dnspod.qcloud.com/static/webblock.html?d=chat.example.com: 404',
    'Invalid response from http://chat.example.com/x: "<title>Non-compliance ICP Filing</title>"',
  ])('hints at an ICP filing where a cloud blocks the domain: %s', (detail) => {
    const { error } = refusalOf(unverified(['chat.example.com', problem('unauthorized', detail)]));
    expect(error.problems[0]?.hint).toMatch(/^File the domain \(ICP 备案\)/);
  });

  it('names the ICP filing as a possible cause of status 403', () => {
    const detail = '203.0.113.7: Invalid response from http://chat.example.com/.well-known/x: 403';
    const { error } = refusalOf(unverified(['chat.example.com', problem('unauthorized', detail)]));
    expect(error.problems[0]?.hint).toContain('another server responded');
    expect(error.problems[0]?.hint).toContain('备案');
  });

  it('quotes a problem of an unknown type', () => {
    const { error } = refusalOf(unverified(['chat.example.com', problem('weather', 'It rains')]));
    expect(error.problems).toEqual([{ message: 'chat.example.com: It rains', hint: undefined }]);
  });

  it('leaves out what lego adds to the words of the authority', () => {
    const detail = 'Wrong TXT, problem: "urn:x" :: more, url: https://acme.example/1';
    const { error } = refusalOf(unverified(['chat.example.com', problem('dns', detail)]));
    expect(error.problems[0]?.message).toBe('chat.example.com: Wrong TXT');
  });
});

describe('records that prove names', () => {
  it('names a missing record with the server that lacks them', () => {
    const { error } = refusalOf(
      unverified([
        'chat.example.com',
        'dns01: time limit exceeded: last error: authoritative nameservers: NS ns1.example.net.:53 did not return the expected TXT record [fqdn: _acme-challenge.chat.example.com., value: Ab-_9]: ',
      ]),
    );
    expect(error.code).toBe('ACME_CHALLENGE');
    expect(error.problems).toEqual([
      {
        message:
          'chat.example.com: the record _acme-challenge.chat.example.com TXT Ab-_9 is missing at the name server ns1.example.net.:53',
        hint: expect.stringContaining('NS records'),
      },
    ]);
  });

  it('quotes the DNS provider that rejects a record', () => {
    const { error } = refusalOf(
      unverified([
        'chat.example.com',
        'dns01: error presenting token (chat.example.com): alidns: InvalidAccessKeyId.NotFound',
      ]),
    );
    expect(error.problems).toEqual([
      {
        message: 'chat.example.com: alidns: InvalidAccessKeyId.NotFound',
        hint: expect.stringContaining('credentials are valid'),
      },
    ]);
  });

  it('names a missing credential', () => {
    const { error } = refusalOf(
      logOf(
        'obtain certificate: set up client: setup challenges: alicloud: some credentials information are missing: ALICLOUD_SECRET_KEY',
      ),
    );
    expect(error.message).toBe('credentials of the DNS provider are missing');
    expect(error.problems[0]?.message).toContain('ALICLOUD_SECRET_KEY');
    expect(error.hint).toContain('secret set');
  });
});

describe('a rate limit of an authority', () => {
  const words =
    'too many failed authorizations (5) for "chat.example.com" in the last 1h0m0s, retry after 2026-11-21 09:12:13 UTC: see https://letsencrypt.org/docs/rate-limits/';

  it('reports the time of the next request', () => {
    const { error, retryAt } = refusalOf(logOf(problem('rateLimited', words)));
    expect([error.code, retryAt?.toISOString()]).toEqual([
      'ACME_RATE_LIMIT',
      '2026-11-21T09:12:13.000Z',
    ]);
    expect(error.message).toContain('too many failed authorizations (5)');
  });

  it('accepts a rate limit without a valid time', () => {
    for (const detail of ['slow down', 'retry after 2026-99-99 99:99:99 UTC']) {
      const { error, retryAt } = refusalOf(logOf(problem('rateLimited', detail)));
      expect([error.code, retryAt]).toEqual(['ACME_RATE_LIMIT', undefined]);
    }
  });

  it('reports the rate limit of one of several names', () => {
    const output = unverified(
      ['chat.example.com', problem('connection', 'refused')],
      ['docs.example.com', problem('rateLimited', 'too many')],
    );
    expect(refusalOf(output).error.code).toBe('ACME_RATE_LIMIT');
  });
});

describe('the log of lego while it waits for a rate limit', () => {
  const words = 'too many certificates (5), retry after 2026-12-01 10:00:00 UTC: see https://x';
  const warning = (type: string) =>
    JSON.stringify({
      ...{ time: '2026-11-30T08:00:00Z', level: 'WARN' },
      msg: `retry: acme: error: 429 ::  ::  :: urn:ietf:params:acme:error:${type} :: ${words}`,
    });

  it('recognizes the line, and only that', () => {
    expect(saysRateLimit(warning('rateLimited'))).toBe(true);
    expect(saysRateLimit(warning('serverInternal'))).toBe(false);
    expect(saysRateLimit('Container landfall-acme Creating')).toBe(false);
  });

  it('reads the words and the time of the authority from it', () => {
    const { error, retryAt } = refusalOf(warning('rateLimited'));
    expect([error.code, retryAt?.toISOString()]).toEqual([
      'ACME_RATE_LIMIT',
      '2026-12-01T10:00:00.000Z',
    ]);
  });
});

describe('a rejection of a whole request', () => {
  const ofAcme = [...problemKinds].filter(([type]) => !type.endsWith('Record'));
  it.each(ofAcme)('gives a specific hint for the reason %s', (type, { code, hint }) => {
    const { error } = refusalOf(logOf(problem(type, 'what it found')));
    expect([error.code, error.hint]).toEqual([code, hint.en]);
    expect(error.message).toContain(`(${type}): what it found`);
  });

  it('hints at the log for a rejection of an unknown type', () => {
    const { error } = refusalOf(logOf(problem('weather', 'It rains')));
    expect(error.code).toBe('ACME_REFUSED');
    expect(error.message).toContain('(weather): It rains');
    expect(error.hint).toContain('last-run.log');
  });
});

describe('lego without a connection to the authority', () => {
  it.each([
    ['Get "https://a/dir": dial tcp 10.0.0.1:443: connect: connection refused', 'ACME_UNREACHABLE'],
    ['Get "https://a/dir": proxyconnect tcp: dial tcp: i/o timeout', 'ACME_UNREACHABLE'],
    ['context deadline exceeded (Client.Timeout exceeded)', 'ACME_UNREACHABLE'],
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      'ACME_UNREACHABLE',
    ],
    [
      'POST https://a/order giving up after 6 attempt(s): unexpected HTTP status 500',
      'ACME_UNREACHABLE',
    ],
    ['set up account: unexpected end of JSON input', 'ACME_REFUSED'],
  ])('reports %j', (text, code) => {
    expect(refusalOf(logOf(text)).error.code).toBe(code);
  });

  it('distinguishes an untrusted authority from an unreachable one', () => {
    const impostor = refusalOf(logOf('dial tcp: x509: unknown authority'));
    expect(impostor.error.message).toBe('untrusted TLS certificate of the certificate authority');
  });

  it('blames the clock when a certificate is not valid now', () => {
    const { error } = refusalOf(
      logOf('x509: certificate has expired or is not yet valid: current time 2020-01-01T00:00:00Z'),
    );
    expect(error.hint).toContain('Check the clock of the server with timedatectl');
  });

  it('quotes the last lines of a run without an entry of an error', () => {
    const { error } = refusalOf('one\ntwo\n\nthree\nfour\nfive\n');
    expect(error.problems.map(({ message }) => message)).toEqual(['two', 'three', 'four', 'five']);
  });
});

describe('any output of lego', () => {
  it('becomes an error in plain, bounded text', () => {
    const word = fc.constantFrom(
      ...['urn:ietf:params:acme:error:', 'rateLimited', ' :: ', ' [chat.example.com: ', '] '],
      ...['did not return the expected TXT record [fqdn: ', ', value: ', 'NS a ', 'dns01: '],
      ...['\n', ' ', 'retry after ', '2026-11-21 09:12:13', '\u001b[31m', '\u202e'],
    );
    const text = fc.array(fc.oneof(word, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (output, isLogged) => {
        const { error, retryAt } = refusalOf(isLogged ? logOf(output) : output);
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
