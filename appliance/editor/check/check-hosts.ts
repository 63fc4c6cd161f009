import type { Editor, Purpose } from '../editors.ts';
import { isExemptInEditor } from './no-proxy.ts';
import { type Reached, type ReachOptions, reachHost } from './reach-host.ts';
import type { EditorProxy } from './read-proxy.ts';
import type { RemedyName } from './remedies.ts';

/** A reply within this time, in milliseconds, is normal (SPEC 8). */
export const expectedReply = 2000;

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
