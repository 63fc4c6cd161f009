import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { acmeLog } from './acme-folder.ts';

/** Why an authority issued no certificate. */
export interface Refusal {
  readonly error: LandfallError;
  /** Earliest time of the next request, if the authority specified it. */
  readonly retryAt?: Date | undefined;
}

const again = {
  en: 'Request it now with: sudo landfall tls renew',
  zh: '立即申请：sudo landfall tls renew',
};
const seeLog = {
  en: `See the log: /${acmeLog}. ${again.en}`,
  zh: `查看日志：/${acmeLog}。${again.zh}`,
};
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
const failures: ReadonlyArray<readonly [RegExp, code: ErrorCode, message: string, hint: Text]> = [
  [
    /unrecognized arguments:.*--ip-address/,
    'ACME_REFUSED',
    'this certbot does not support certificates for addresses',
    {
      en: 'Use certbot 5.8 or newer as the image acme, or a host name with tls.mode: acme.',
      zh: '镜像 acme 请用 certbot 5.8 或更新的版本，或用 tls.mode: acme 和域名。',
    },
  ],
  [
    /CERTIFICATE_VERIFY_FAILED|SSLError/,
    'ACME_UNREACHABLE',
    'untrusted TLS certificate of the certificate authority',
    {
      en: "Set tls.server.ca to the CA certificate of a private authority, or check whether the site's proxy intercepts TLS.",
      zh: '把 tls.server.ca 设为私有颁发机构的 CA 证书，或检查站点的代理是否替换了 TLS 证书。',
    },
  ],
  [
    /ConnectionError|ConnectTimeout|ReadTimeout|Max retries|ProxyError|ValueError: Requesting \S/,
    'ACME_UNREACHABLE',
    'cannot connect to the certificate authority',
    {
      en: `Check the route of the site. ${again.en}`,
      zh: `检查站点的线路。${again.zh}`,
    },
  ],
];

/** Error code and hint for each problem type of ACME (RFC 8555, 6.7). */
export const problemKinds: ReadonlyMap<string, { code: ErrorCode; hint: Text }> = new Map([
  ...kinds('ACME_CHALLENGE', {
    connection: {
      en: "Make port 80 reachable from the internet: check the provider's firewall and the A and AAAA records.",
      zh: '让 80 端口能从外网访问：检查云服务商的防火墙（安全组），以及 A 和 AAAA 记录。',
    },
    'unauthorized incorrectResponse': {
      en: 'Point the A and AAAA records of this name to this server: another server responded.',
      zh: '请把这个域名的 A 和 AAAA 记录指向这台服务器：响应的是另一台服务器。',
    },
    'dns unknownHost': {
      en: 'Create a public A or AAAA record, or fix the DNS servers of the domain.',
      zh: '添加公网的 A 或 AAAA 记录，或修复域名的 DNS 服务器。',
    },
    dnssec: {
      en: 'Fix the DNSSEC signatures of the zone, or turn DNSSEC off.',
      zh: '修复域名的 DNSSEC 签名，或关闭 DNSSEC。',
    },
    caa: {
      en: 'Add this authority to the CAA record of the domain, or remove the record.',
      zh: '在域名的 CAA 记录中加入这个颁发机构，或删除该记录。',
    },
    tls: {
      en: 'Remove the redirect to a server with invalid TLS.',
      zh: '去掉指向 TLS 无效的服务器的重定向。',
    },
  }),
  ...kinds('ACME_REFUSED', {
    'rejectedIdentifier unsupportedIdentifier malformed badCSR': {
      en: 'Use a name of your own domain, or tls.mode: internal: the authority does not certify this name.',
      zh: '使用您自己的域名，或 tls.mode: internal：颁发机构不为这个名称签发证书。',
    },
    'invalidEmail invalidContact unsupportedContact': {
      en: 'Set admin.email to an address that receives mail.',
      zh: '把 admin.email 设为能收信的邮箱。',
    },
    accountDoesNotExist: {
      en: 'Delete the invalid ACME account in /var/lib/landfall/acme/config/accounts, then run: sudo landfall tls renew',
      zh: '删除 /var/lib/landfall/acme/config/accounts 中无效的 ACME 账户，再运行：sudo landfall tls renew',
    },
    userActionRequired: {
      en: "Read the authority's new terms, then run: sudo landfall tls renew",
      zh: '阅读颁发机构的新条款，再运行：sudo landfall tls renew',
    },
    externalAccountRequired: {
      en: 'Use an authority that does not require external account binding.',
      zh: '换用不要求外部账户绑定的颁发机构。',
    },
  }),
  ...kinds('ACME_UNREACHABLE', { 'badNonce serverInternal orderNotReady': again }),
]);

/** @param hints hint by problem types, which are separated by spaces */
function kinds(code: ErrorCode, hints: Readonly<Record<string, Text>>) {
  return Object.entries(hints).flatMap(([types, hint]) =>
    types.split(' ').map((type) => [type, { code, hint }] as const),
  );
}
