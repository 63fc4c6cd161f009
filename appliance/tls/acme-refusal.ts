import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { acmeLog } from './acme-folder.ts';
import { problemKinds } from './problem-kinds.ts';

/** Why an authority gave no certificate. */
export interface Refusal {
  readonly error: LandfallError;
  /** When it may be asked again, where it said so. */
  readonly retryAt?: Date | undefined;
}

const again = 'Request it at once: sudo landfall tls renew';
const longest = 400;

/**
 * Reads from certbot's words why it failed. It has no output for programs, so what counts is what
 * it takes over from the authority: a block for each name that could not be verified, on the
 * console, or the type of the problem (RFC 8555, 6.7), in its log.
 * @param output what it printed
 * @param log its log of the same run
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
    name: plainLine(name, longest),
    type: shortType(type),
    detail: plainLine(detail, longest),
  }));
}

/** `urn:ietf:params:acme:error:rateLimited :: There were too many … :: detail`. */
function lastProblem(text: string): AcmeProblem | undefined {
  const last = [...text.matchAll(/urn:ietf:params:acme:error:([A-Za-z]+) :: (.*)$/gm)].at(-1);
  const [, type, words = ''] = last ?? [];
  if (type === undefined) return undefined;
  return { type, detail: plainLine(words.split(' :: ').slice(1).join(' ') || words, longest) };
}

function shortType(type: string): string {
  return plainLine(type.replace(/^urn:ietf:params:acme:error:/, ''), longest);
}

function unverified(named: readonly AcmeProblem[]): Refusal {
  const problems = named.map(
    ({ name, type, detail }): Problem => ({
      message: `${name}: ${detail}`,
      hint: problemKinds.get(type)?.hint,
    }),
  );
  const message = 'the certificate authority could not verify every name';
  return { error: new LandfallError('ACME_CHALLENGE', message, { hint: again, problems }) };
}

function rateLimited(detail: string): Refusal {
  const [, day, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  const retryAt = day ? new Date(`${day}T${time}Z`) : undefined;
  const error = new LandfallError('ACME_RATE_LIMIT', `the certificate authority: ${detail}`, {
    hint: 'Use mode: acme-staging for trials until then.',
  });
  return { error, retryAt: retryAt && !Number.isNaN(retryAt.getTime()) ? retryAt : undefined };
}

function refused({ type, detail }: AcmeProblem): LandfallError {
  const kind = problemKinds.get(type);
  const code: ErrorCode = kind?.code ?? 'ACME_REFUSED';
  const hint = kind?.hint ?? `What was said in full: /${acmeLog}. ${again}`;
  return new LandfallError(code, `the certificate authority refuses (${type}): ${detail}`, {
    hint,
  });
}

/** Names of Python's errors; certbot 4 puts the last of them around a connection that is refused. */
const unreachable =
  /ConnectionError|ConnectTimeout|ReadTimeout|Max retries|ProxyError|ValueError: Requesting \S/;

/** What went wrong before the authority said anything. */
function withoutAuthority(output: string): LandfallError {
  const lines = output.split('\n').map((line) => plainLine(line, longest).trim());
  const problems = lines
    .filter((line) => line !== '')
    .slice(-4)
    .map((message) => ({ message }));
  if (/unrecognized arguments:.*--ip-address/.test(output)) {
    return new LandfallError('ACME_REFUSED', 'this certbot knows no certificates for addresses', {
      hint: 'It takes a newer one, such as 5.8: use that as the image acme, or a host name and mode: acme.',
    });
  }
  if (/CERTIFICATE_VERIFY_FAILED|SSLError/.test(output)) {
    return new LandfallError('ACME_UNREACHABLE', 'the authority is not who it says it is', {
      hint: "Who vouches for an authority of one's own goes into tls.server.ca; otherwise look at the route, which may open TLS.",
      problems,
    });
  }
  if (unreachable.test(output)) {
    return new LandfallError('ACME_UNREACHABLE', 'the certificate authority cannot be reached', {
      hint: `Look at the route of the site. ${again}`,
      problems,
    });
  }
  return new LandfallError('ACME_REFUSED', 'certbot did not get a certificate', {
    hint: `What was said in full: /${acmeLog}. ${again}`,
    problems,
  });
}
