import { z } from 'zod';
import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { acmeLog } from './acme-folder.ts';
import { again, problemKinds } from './problem-kinds.ts';

/** Why an authority issued no certificate. */
export interface Refusal {
  readonly error: LandfallError;
  /** Earliest time of the next request, if the authority specified it. */
  readonly retryAt?: Date | undefined;
}

const seeLog = {
  en: `See the log: /${acmeLog}. ${again.en}`,
  zh: `查看日志：/${acmeLog}。${again.zh}`,
};
const max = 400;

/**
 * Parses why lego failed. The last line of its log has the error, with a part for each name that failed; the
 * authority's own words follow the type of the problem (RFC 8555, 6.7).
 * @param output lines of JSON
 * @param names that were requested
 */
export function readRefusal(output: string, names: readonly string[]): Refusal {
  const text = errorIn(output);
  const named = readNamed(text, names);
  const whole = problemIn(text);
  const limited = [...named, ...(whole ? [whole] : [])].find(({ type }) => type === 'rateLimited');
  if (limited) return rateLimited(limited.detail);
  if (named.length > 0) return unverified(named);
  if (whole) return { error: refused(whole) };
  return { error: withoutAuthority(text, output) };
}

interface AcmeProblem {
  readonly name?: string;
  readonly type: string;
  readonly detail: string;
}

/** Returns the error of the last entry with one; empty if there is none, as after a crash. */
function errorIn(output: string): string {
  return output.split('\n').map(errorOf).findLast(Boolean) ?? '';
}

function errorOf(line: string): string | undefined {
  const entry = entrySchema.safeParse(parseJson(line)).data;
  if (entry?.level === 'ERROR') return entry.error;
  const [, rejection] = /^retry: (.*)$/s.exec(entry?.msg ?? '') ?? [];
  return rejection;
}

const entrySchema = z.object({
  level: z.string(),
  msg: z.string().optional(),
  error: z.string().optional(),
});

/**
 * Returns whether a line of the log says that the authority limits the rate. lego would sleep until the limit expires,
 * which can be days.
 */
export function saysRateLimit(line: string): boolean {
  return problemIn(errorOf(line) ?? '')?.type === 'rateLimited';
}

/** `resolver: one or more domains had a problem: [a.example: dns01: …] [b.example: acme: error: 403 :: …]`. */
function readNamed(text: string, names: readonly string[]): AcmeProblem[] {
  const starts = names
    .map((name) => ({ name, at: text.indexOf(` [${name}: `) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  return starts.map(({ name, at }, index) => {
    const end = starts[index + 1]?.at ?? text.length;
    const own = text.slice(at + name.length + 4, end).replace(/\]\s*$/, '');
    const { type, detail } = problemIn(own) ?? recordProblem(own) ?? { type: '', detail: own };
    return { name, type, detail: plainLine(detail, max) };
  });
}

/** `acme: error: 429 :: POST :: https://… :: urn:ietf:params:acme:error:rateLimited :: detail, url: …`. */
function problemIn(text: string): AcmeProblem | undefined {
  const [, type, words = ''] =
    /urn:ietf:params:acme:error:([A-Za-z]+) :: ([\s\S]*)/.exec(text) ?? [];
  if (type === undefined) return undefined;
  const [detail = ''] = words.split(/, (?:problem: "|url: )/);
  return { type, detail: plainLine(detail, max) };
}

/** Returns the problem of a record that proves a name: it is missing at a server, or could not be made. */
function recordProblem(text: string): AcmeProblem | undefined {
  const [, server, name, value] =
    /NS (\S+) did not return the expected TXT record \[fqdn: (\S+), value: (\S+)\]/.exec(text) ??
    [];
  if (server !== undefined) {
    const record = `${name?.replace(/\.$/, '')} TXT ${value}`;
    return {
      type: 'missingRecord',
      detail: inLanguage({
        en: `the record ${record} is missing at the name server ${server}`,
        zh: `域名服务器 ${server} 上没有记录 ${record}`,
      }),
    };
  }
  const [, reason] = /dns01: error presenting token \([^)]*\): ([\s\S]*)/.exec(text) ?? [];
  return reason === undefined ? undefined : { type: 'rejectedRecord', detail: reason };
}

function unverified(named: readonly AcmeProblem[]): Refusal {
  const problems = named.map(
    ({ name, type, detail }): Problem => ({
      message: `${name}: ${detail}`,
      hint: hintOf(type, detail),
    }),
  );
  const message = 'domain verification failed';
  return { error: new LandfallError('ACME_CHALLENGE', message, { hint: again, problems }) };
}

function hintOf(type: string, detail: string): string | undefined {
  const hint = filingHint(type, detail) ?? problemKinds.get(type)?.hint;
  return hint && inLanguage(hint);
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
function filingHint(type: string, detail: string): Text | undefined {
  if (filingNotices.some((notice) => detail.includes(notice))) {
    return {
      en: 'File the domain (ICP 备案) with your cloud provider, remove hosts to use the address, or use a server outside of mainland China.',
      zh: '请在云服务商处为域名备案；或删除 hosts，改用 IP 地址；或使用中国大陆以外的服务器。',
    };
  }
  if (type !== 'unauthorized' || !/: 403$/.test(detail)) return undefined;
  return {
    en: 'Point the A and AAAA records of this name to this server, or, in mainland China, file the domain (ICP 备案): another server responded.',
    zh: '请把这个域名的 A 和 AAAA 记录指向这台服务器；在中国大陆，请为域名备案：响应的是另一台服务器。',
  };
}

function rateLimited(detail: string): Refusal {
  const [, day, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  const retryAt = day ? new Date(`${day}T${time}Z`) : undefined;
  const error = new LandfallError(
    'ACME_RATE_LIMIT',
    `rate-limited by the certificate authority: ${detail}`,
    {
      hint: {
        en: 'Wait until the limit expires; set tls.mode: acme-staging for tests.',
        zh: '请等待限制结束；测试时设置 tls.mode: acme-staging。',
      },
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
function withoutAuthority(text: string, output: string): LandfallError {
  const lines = (text || output).split('\n').map((line) => plainLine(line, max).trim());
  const problems = lines
    .filter((line) => line !== '')
    .slice(-4)
    .map((message) => ({ message }));
  const [, code, message, hint] =
    failures.find(([words]) => words.test(text)) ??
    ([/^/, 'ACME_REFUSED', 'lego failed', seeLog] as const);
  return new LandfallError(code, message, { hint, problems });
}

/** What lego and the library of Go print, and the error. */
const failures: ReadonlyArray<readonly [RegExp, code: ErrorCode, message: string, hint: Text]> = [
  [
    /credentials information are missing|environment variables? .* missing/,
    'ACME_REFUSED',
    'credentials of the DNS provider are missing',
    {
      en: 'Set them with: sudo landfall secret set <name>. Then run: sudo landfall tls renew',
      zh: '用 sudo landfall secret set <名称> 设置，再运行：sudo landfall tls renew',
    },
  ],
  [
    /certificate has expired or is not yet valid/,
    'ACME_UNREACHABLE',
    'the TLS certificate of the certificate authority is not valid at the time of this server',
    {
      en: `Check the clock of the server with timedatectl. ${again.en}`,
      zh: `用 timedatectl 检查服务器的时钟。${again.zh}`,
    },
  ],
  [
    /x509: |tls: failed to verify certificate/,
    'ACME_UNREACHABLE',
    'untrusted TLS certificate of the certificate authority',
    {
      en: "Set tls.server.ca to the CA certificate of a private authority, or check whether the site's proxy intercepts TLS.",
      zh: '把 tls.server.ca 设为私有颁发机构的 CA 证书，或检查站点的代理是否替换了 TLS 证书。',
    },
  ],
  [
    /dial tcp|proxyconnect|context deadline exceeded|Client\.Timeout|i\/o timeout|: EOF$|connection reset/,
    'ACME_UNREACHABLE',
    'cannot connect to the certificate authority',
    {
      en: `Check the route of the site. ${again.en}`,
      zh: `检查站点的线路。${again.zh}`,
    },
  ],
  [
    /giving up after \d+ attempt/,
    'ACME_UNREACHABLE',
    'the certificate authority responds with errors',
    again,
  ],
];
