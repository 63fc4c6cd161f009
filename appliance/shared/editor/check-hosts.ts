import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Editor, Purpose } from './editors.ts';
import { type EditorProxy, isExemptInEditor } from './proxy.ts';

/** Failures of the specification's table (section 7) that a check of an editor can show. */
export const remedies = {
  'proxy-not-working':
    'The proxy is not working. Check its configuration and its port, and try another port.',
  'proxy-login': 'Configure the login of the proxy: landfall editor configure --proxy-user <name>.',
  'ai-reply-empty':
    'The editor\'s AI reply is empty or "Network Error". Add the editor vendor\'s API domains to the proxy rules, or a wildcard such as *.cursor.sh to the PAC file.',
  'login-spins':
    'The sign-in with a code-hosting account does not end. Confirm http.proxy; on Windows, enable the loopback option of the proxy program; or sign in by email.',
  'extensions-fail': 'Extensions cannot be installed. Add this host to the proxy rules.',
  'tls-error':
    "Install the CA of the proxy in the system's certificate store. Do not turn verification off.",
  'proxy-bypassed': 'Remove the host from http.noProxy in the settings, or from NO_PROXY.',
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

/** Requests each host through the proxy of the settings. Exempt hosts fail without a request. */
export async function checkHosts(
  hosts: readonly CheckedHost[],
  { url: proxy, exempt }: EditorProxy,
  options: Omit<ReachOptions, 'proxy'> = {},
): Promise<HostResult[]> {
  const reached = await Promise.all(
    hosts.map(({ host }) =>
      isExempt(host, exempt) ? undefined : reachHost(host, { ...options, proxy }),
    ),
  );
  const isProxyUp = reached.some((each) => each?.status !== undefined || isRefusal(each));
  return hosts.map((host, index) => resultOf(host, reached[index], isProxyUp));
}

/** Returns whether the editor is connected: every host responds through the proxy. */
export function isConnected(results: readonly HostResult[]): boolean {
  return results.length > 0 && results.every(({ outcome }) => outcome !== 'failed');
}

function resultOf(
  { host, purpose }: CheckedHost,
  reached: Reached | undefined,
  isProxyUp: boolean,
): HostResult {
  const failed = (detail: string, remedy: RemedyName): HostResult => {
    const milliseconds = reached?.took ?? 0;
    return { host, purpose, outcome: 'failed', milliseconds, detail, remedy };
  };
  if (reached === undefined) return failed('it bypasses the proxy', 'proxy-bypassed');
  const { status = 0, took, error } = reached;
  if (error) return failed(error.message, remedyFor(reached, purpose, isProxyUp));
  if (status >= 500) return failed(`the host responds with status ${status}`, 'vendor-failed');
  const outcome = took > expectedReply ? 'slow' : 'connected';
  return { host, purpose, outcome, milliseconds: took };
}

const byPurpose = {
  AI: 'ai-reply-empty',
  added: 'ai-reply-empty',
  'sign-in': 'login-spins',
  extensions: 'extensions-fail',
} as const;

function remedyFor(
  { error, rejection }: Reached,
  purpose: HostResult['purpose'],
  isProxyUp: boolean,
): RemedyName {
  if (rejection === 407) return 'proxy-login';
  if (error?.code === 'NETWORK_TLS') return 'tls-error';
  return isProxyUp ? byPurpose[purpose] : 'proxy-not-working';
}

/** A proxy that rejects one host with a status is reachable. */
function isRefusal(reached: Reached | undefined): boolean {
  return reached?.rejection !== undefined && reached.rejection !== 407;
}

function isExempt(host: string, entries: readonly string[]): boolean {
  const { hostname, port } = new URL(`https://${host}`);
  return isExemptInEditor(hostname, port || '443', entries);
}

/** The result of one request. */
interface Reached {
  /** Milliseconds to the header of the response, including the tunnel and TLS. */
  readonly took: number;
  /** Status of the host; undefined if there is no response. */
  readonly status?: number;
  readonly error?: LandfallError;
  /** Status with which the proxy rejected the request. */
  readonly rejection?: number | undefined;
}

interface ReachOptions {
  /** URL of the proxy, with its login. */
  readonly proxy: string;
  /** PEM of additional authorities. */
  readonly ca?: string | undefined;
  /** Milliseconds; default 10,000. */
  readonly timeout?: number;
}

/** Requests the root of a host through the proxy. Does not follow redirects. */
async function reachHost(
  host: string,
  { proxy, ca, timeout = 10_000 }: ReachOptions,
): Promise<Reached> {
  const url = new URL(`https://${host}/`);
  const timeouts = { connect: timeout, headers: timeout, body: timeout };
  const dispatchers = new Dispatchers({ proxy, ca, timeouts });
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { dispatcher } = dispatchers.routeTo(url);
    const { statusCode, body } = await dispatcher.request({
      ...{ origin: url.origin, path: '/', method: 'GET', headers: { 'user-agent': 'landfall' } },
      signal: AbortSignal.timeout(2 * timeout),
    });
    body.on('error', () => {}).destroy();
    return { took: took(), status: statusCode };
  } catch (cause) {
    const error = errorOf(cause, url, proxy);
    return { took: took(), error, rejection: rejectionOf(error) };
  } finally {
    await dispatchers.close();
  }
}

function errorOf(cause: unknown, url: URL, proxy: string): LandfallError {
  if (cause instanceof LandfallError) return cause;
  return networkError(cause, { url, proxy: new URL(proxy).host });
}

function rejectionOf(error: LandfallError): number | undefined {
  return error instanceof TransferError ? error.status : undefined;
}

const words = { connected: 'ok', slow: 'slow', failed: 'FAILED' } as const;

/**
 * Formats results as a table, each different remedy once below it, and `Connected` or
 * `Not connected` as the last line.
 */
export function checkTable(results: readonly HostResult[], paint: Paint = unpainted): string {
  const rows = alignRows(results.map(cellsOf), [{}, {}, {}, { align: 'right' }]);
  const advice = [...new Set(results.flatMap(({ remedy }) => remedy ?? []))];
  const slow = results.some(({ outcome }) => outcome === 'slow') ? [slowLine] : [];
  return [
    ...rows,
    ...[...advice.map((name) => remedies[name]), ...slow].flatMap((line) => ['', line]),
    '',
    isConnected(results) ? paint('green', 'Connected') : paint('red', 'Not connected'),
  ].join('\n');
}

const slowLine = `A reply takes more than ${formatDuration(expectedReply)}. Use a faster proxy, or one closer to you.`;

function cellsOf({ outcome, host, purpose, milliseconds, detail = '' }: HostResult): string[] {
  const time = milliseconds === 0 ? '' : formatDuration(milliseconds);
  return [words[outcome], host, purpose, time, detail];
}
