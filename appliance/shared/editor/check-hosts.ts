import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import { chooseProxy } from '#http/proxy.ts';
import type { Attempt, AttemptFailure } from '#probe/exchange/attempt.ts';
import type { ProbeNetwork } from '#probe/exchange/network.ts';
import { send } from '#probe/exchange/send.ts';
import type { Editor, Purpose } from './editors.ts';

/** Failures of the specification's table (section 7) that a check of an editor can show. */
export const remedies = {
  'proxy-not-working':
    'The proxy is not working. Check its configuration and its port, and try another port.',
  'proxy-login':
    'Configure the login of the proxy: landfall editor configure --proxy http://<user>@<host>:<port>.',
  'ai-reply-empty':
    'The editor\'s AI reply is empty or "Network Error". Add the editor vendor\'s API domains to the proxy rules, or a wildcard such as *.cursor.sh to the PAC file.',
  'login-spins':
    'The sign-in with a code-hosting account does not end. Confirm http.proxy; on Windows, enable the loopback option of the proxy program; or sign in by email.',
  'extensions-fail': 'Extensions cannot be installed. Add this host to the proxy rules.',
  'tls-error':
    "Install the CA of the proxy in the system's certificate store. Do not turn verification off.",
  'vendor-failed': "The host has a failure. Check the vendor's status page and try again later.",
} as const;

type RemedyName = keyof typeof remedies;

/** A reply within this time, in milliseconds, is normal (SPEC 8). */
const expectedReply = 2000;

/** The result for one host. */
export interface HostResult {
  readonly host: string;
  readonly purpose: Purpose | 'added';
  readonly outcome: 'connected' | 'slow' | 'failed';
  readonly milliseconds: number;
  /** Cause of a failure. */
  readonly detail?: string;
  readonly remedy?: RemedyName;
}

/** A host to test. */
export interface CheckedHost {
  readonly host: string;
  readonly purpose: Purpose | 'added';
}

/** Returns the hosts of an editor's vendor and those of the user. */
export function hostsOf(editor: Editor, added: readonly string[]): CheckedHost[] {
  const own = Object.entries(editor.hosts).flatMap(([purpose, hosts]) =>
    hosts.map((host) => ({ host, purpose: purpose as Purpose })),
  );
  return [...own, ...added.map((host) => ({ host, purpose: 'added' as const }))];
}

/** Requests each host through the proxy of the settings, and measures the time to its response. */
export async function checkHosts(
  hosts: readonly CheckedHost[],
  proxy: string,
  network: ProbeNetwork,
): Promise<HostResult[]> {
  const attempts = await Promise.all(
    hosts.map(async ({ host }) => {
      const url = new URL(`https://${host}/`);
      return (await send({ url }, { proxy: chooseProxy(url, { proxy }) }, network)).attempt;
    }),
  );
  const isProxyUp = attempts.some(passedProxy);
  return hosts.map((host, index) => resultOf(host, attempts[index], isProxyUp));
}

/** Returns whether the editor is connected: every host responds through the proxy. */
export function isConnected(results: readonly HostResult[]): boolean {
  return results.length > 0 && results.every(({ outcome }) => outcome !== 'failed');
}

/** A proxy that rejects one host with a status is reachable. */
function passedProxy({ steps, failure }: Attempt): boolean {
  const { proxyStatus } = failure ?? {};
  const isRefusal = proxyStatus !== undefined && proxyStatus !== 407;
  return isRefusal || steps.some(({ name }) => name === 'proxy');
}

function resultOf(
  { host, purpose }: CheckedHost,
  { steps, status = 0, failure }: Attempt = { steps: [], addresses: [] },
  isProxyUp: boolean,
): HostResult {
  const milliseconds = steps.reduce((sum, { took }) => sum + took, 0);
  const failed = (detail: string, remedy: RemedyName): HostResult => {
    return { host, purpose, outcome: 'failed', milliseconds, detail, remedy };
  };
  if (failure) return failed(failure.reason, remedyFor(failure, purpose, isProxyUp));
  if (status >= 500) return failed(`the host responds with status ${status}`, 'vendor-failed');
  const outcome = milliseconds > expectedReply ? 'slow' : 'connected';
  return { host, purpose, outcome, milliseconds };
}

const byPurpose = {
  AI: 'ai-reply-empty',
  added: 'ai-reply-empty',
  'sign-in': 'login-spins',
  extensions: 'extensions-fail',
} as const;

function remedyFor(
  { code, proxyStatus }: AttemptFailure,
  purpose: HostResult['purpose'],
  isProxyUp: boolean,
): RemedyName {
  if (proxyStatus === 407) return 'proxy-login';
  if (code === 'NETWORK_TLS') return 'tls-error';
  return isProxyUp ? byPurpose[purpose] : 'proxy-not-working';
}

const words = {
  connected: { en: 'ok', zh: '正常' },
  slow: { en: 'slow', zh: '较慢' },
  failed: { en: 'FAILED', zh: '失败' },
} as const;

/**
 * Formats results as a table, each different remedy once below it, and `Connected` or
 * `Not connected` as the last line.
 */
export function checkTable(results: readonly HostResult[], paint: Paint = unpainted): string {
  const rows = alignRows(results.map(cellsOf), [{}, {}, {}, { align: 'right' }]);
  const advice = [...new Set(results.flatMap(({ remedy }) => remedy ?? []))];
  const slow = results.some(({ outcome }) => outcome === 'slow') ? [inLanguage(slowLine)] : [];
  return [
    ...rows,
    ...[...advice.map((name) => translated(remedies[name])), ...slow].flatMap((line) => ['', line]),
    '',
    isConnected(results)
      ? paint('green', say('Connected', '已连接'))
      : paint('red', say('Not connected', '未连接')),
  ].join('\n');
}

const slowLine = {
  en: `A reply takes more than ${formatDuration(expectedReply)}. Use a faster proxy, or one closer to you.`,
  zh: `回复超过 ${formatDuration(expectedReply)}。请使用更快或更近的代理。`,
};

function cellsOf({ outcome, host, purpose, milliseconds, detail = '' }: HostResult): string[] {
  const time = milliseconds === 0 ? '' : formatDuration(milliseconds);
  return [inLanguage(words[outcome]), host, purpose, time, translated(detail)];
}
