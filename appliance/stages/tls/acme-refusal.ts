import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { acmeLog } from './acme-folder.ts';

/** Why an authority issued no certificate. */
export interface Refusal {
  readonly error: LandfallError;
  /** Earliest time of the next request, if the authority specified it. */
  readonly retryAt?: Date | undefined;
}

const again = 'Request it now with: sudo landfall tls renew';
const seeLog = `See the log: /${acmeLog}. ${again}`;
const max = 400;

/**
 * Parses why certbot failed. certbot has no machine-readable output, so this uses what it copies from
 * the authority: on the console a block for each name that failed verification, and in the log the type
 * of the problem (RFC 8555, 6.7).
 * @param output console output
 * @param log log of the same run
 */
export function readRefusal(output: string, log: string): Refusal {
  const named = readNamed(output);
  const whole = lastProblem(log) ?? lastProblem(output);
  const limited = [...named, ...(whole ? [whole] : [])].find(({ type }) => type === 'rateLimited');
  if (limited) return rateLimited(limited.detail);
  if (named.length > 0) return unverified(named);
  if (whole) return { error: refused(whole) };
  return { error: withoutAuthority(output) };
}

interface AcmeProblem {
  readonly name?: string;
  readonly type: string;
  readonly detail: string;
}

/** `Domain` in certbot 4, `Identifier` in certbot 5. */
function readNamed(output: string): AcmeProblem[] {
  const block =
    /^[ \t]*(?:Domain|Identifier):[ \t]*(\S+)\n[ \t]*Type:[ \t]*(\S+)\n[ \t]*Detail:[ \t]*(.*)$/gm;
  return [...output.matchAll(block)].map(([, name = '', type = '', detail = '']) => ({
    name: plainLine(name, max),
    type: shortType(type),
    detail: plainLine(detail, max),
  }));
}

/** `urn:ietf:params:acme:error:rateLimited :: There were too many … :: detail`. */
function lastProblem(text: string): AcmeProblem | undefined {
  const last = [...text.matchAll(/urn:ietf:params:acme:error:([A-Za-z]+) :: (.*)$/gm)].at(-1);
  const [, type, words = ''] = last ?? [];
  if (type === undefined) return undefined;
  return { type, detail: plainLine(words.split(' :: ').slice(1).join(' ') || words, max) };
}

function shortType(type: string): string {
  return plainLine(type.replace(/^urn:ietf:params:acme:error:/, ''), max);
}

function unverified(named: readonly AcmeProblem[]): Refusal {
  const problems = named.map(
    ({ name, type, detail }): Problem => ({
      message: `${name}: ${detail}`,
      hint: filingHint(type, detail) ?? problemKinds.get(type)?.hint,
    }),
  );
  const message = 'domain verification failed';
  return { error: new LandfallError('ACME_CHALLENGE', message, { hint: again, problems }) };
}

/**
 * What clouds in mainland China put in the place of a domain without an ICP filing (备案), as the
 * authority quotes it: a redirect of Tencent Cloud, and the page of Alibaba Cloud.
 */
const filingNotices = ['dnspod.qcloud.com/static/webblock', 'Non-compliance ICP Filing', 'beian'];

/**
 * Returns the hint for a domain without an ICP filing. The authority quotes no page behind a status, and
 * the gateway of this server has no reason for 403, so this status may have the same cause.
 */
function filingHint(type: string, detail: string): string | undefined {
  if (filingNotices.some((notice) => detail.includes(notice))) {
    return 'File the domain (ICP 备案) with your cloud provider, remove hosts to use the address, or use a server outside of mainland China.';
  }
  if (type !== 'unauthorized' || !/: 403$/.test(detail)) return undefined;
  return 'Point the A and AAAA records of this name to this server, or, in mainland China, file the domain (ICP 备案): another server responded.';
}

function rateLimited(detail: string): Refusal {
  const [, day, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  const retryAt = day ? new Date(`${day}T${time}Z`) : undefined;
  const error = new LandfallError(
    'ACME_RATE_LIMIT',
    `rate-limited by the certificate authority: ${detail}`,
    {
      hint: 'Wait until the limit expires; set tls.mode: acme-staging for tests.',
    },
  );
  return { error, retryAt: retryAt && !Number.isNaN(retryAt.getTime()) ? retryAt : undefined };
}

function refused({ type, detail }: AcmeProblem): LandfallError {
  const { code, hint } = problemKinds.get(type) ?? { code: 'ACME_REFUSED', hint: seeLog };
  return new LandfallError(code, `rejected by the certificate authority (${type}): ${detail}`, {
    hint,
  });
}

/** Returns the error of a run without a response from the authority. */
function withoutAuthority(output: string): LandfallError {
  const lines = output.split('\n').map((line) => plainLine(line, max).trim());
  const problems = lines
    .filter((line) => line !== '')
    .slice(-4)
    .map((message) => ({ message }));
  const [, code, message, hint] =
    failures.find(([words]) => words.test(output)) ??
    ([/^/, 'ACME_REFUSED', 'certbot failed', seeLog] as const);
  return new LandfallError(code, message, { hint, problems });
}

/** What certbot prints, and the error. In certbot 4, ValueError wraps a refused connection. */
const failures: ReadonlyArray<readonly [RegExp, code: ErrorCode, message: string, hint: string]> = [
  [
    /unrecognized arguments:.*--ip-address/,
    'ACME_REFUSED',
    'this certbot does not support certificates for addresses',
    'Use certbot 5.8 or newer as the image acme, or a host name with tls.mode: acme.',
  ],
  [
    /CERTIFICATE_VERIFY_FAILED|SSLError/,
    'ACME_UNREACHABLE',
    'untrusted TLS certificate of the certificate authority',
    "Set tls.server.ca to the CA certificate of a private authority, or check whether the site's proxy intercepts TLS.",
  ],
  [
    /ConnectionError|ConnectTimeout|ReadTimeout|Max retries|ProxyError|ValueError: Requesting \S/,
    'ACME_UNREACHABLE',
    'cannot connect to the certificate authority',
    `Check the route of the site. ${again}`,
  ],
];

/** Error code and hint for each problem type of ACME (RFC 8555, 6.7). */
export const problemKinds: ReadonlyMap<string, { code: ErrorCode; hint: string }> = new Map([
  ...kinds('ACME_CHALLENGE', {
    connection:
      "Make port 80 reachable from the internet: check the provider's firewall and the A and AAAA records.",
    'unauthorized incorrectResponse':
      'Point the A and AAAA records of this name to this server: another server responded.',
    'dns unknownHost': 'Create a public A or AAAA record, or fix the DNS servers of the domain.',
    dnssec: 'Fix the DNSSEC signatures of the zone, or turn DNSSEC off.',
    caa: 'Add this authority to the CAA record of the domain, or remove the record.',
    tls: 'Remove the redirect to a server with invalid TLS.',
  }),
  ...kinds('ACME_REFUSED', {
    'rejectedIdentifier unsupportedIdentifier malformed badCSR':
      'Use a name of your own domain, or tls.mode: internal: the authority does not certify this name.',
    'invalidEmail invalidContact unsupportedContact':
      'Set admin.email to an address that receives mail.',
    accountDoesNotExist:
      'Delete the invalid ACME account in /var/lib/landfall/acme/config/accounts, then run: sudo landfall tls renew',
    userActionRequired: "Read the authority's new terms, then run: sudo landfall tls renew",
    externalAccountRequired: 'Use an authority that does not require external account binding.',
  }),
  ...kinds('ACME_UNREACHABLE', { 'badNonce serverInternal orderNotReady': again }),
]);

/** @param hints hint by problem types, which are separated by spaces */
function kinds(code: ErrorCode, hints: Readonly<Record<string, string>>) {
  return Object.entries(hints).flatMap(([types, hint]) =>
    types.split(' ').map((type) => [type, { code, hint }] as const),
  );
}
