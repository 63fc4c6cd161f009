import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { maskedUrl } from '#proxy-settings/variables.ts';
import { exemptions } from '../../server/host/download/route-environment.ts';
import type { Context } from '../../server/stage/stage.ts';
import { type CaptureState, captureState } from '../../stages/route/capture/state.ts';
import { type ClientState, storedClient } from '../../stages/route/client/state.ts';
import { routeChanges } from '../../stages/route/stage.ts';
import { withoutRoute } from '../../stages/route/undo-route.ts';

/** What `landfall route show --json` prints. */
interface ShownRoute {
  readonly mode: Context['site']['route']['mode'];
  /** Without a password; null for a direct route. */
  readonly proxy: string | null;
  readonly noProxy: string | null;
  /** The proxy client, with the name of the proxy in use; null without one. */
  readonly client: Pick<ClientState, 'state' | 'node' | 'since' | 'verdict'> | null;
  /** Whether the files of this server match the site. */
  readonly state: 'on' | 'off' | 'incomplete';
  /** Whether connections of other programs enter the proxy client; null without one. */
  readonly capture: CaptureState | null;
  /** What `landfall route on` would do. */
  readonly missing: readonly string[];
}

/** Returns the route of the site, and whether it is in effect. */
export async function shownRoute(context: Context): Promise<ShownRoute> {
  const { site } = context;
  const { route } = site;
  const effective = effectiveRoute(site, 'host');
  const missing = await routeChanges(context);
  const client = route.mode === 'client' ? await storedClient.read(context.host) : undefined;
  const present = await routeChanges({ ...context, site: withoutRoute(site) });
  return {
    mode: route.mode,
    proxy: effective.mode === 'direct' ? null : maskedUrl(effective.url),
    noProxy: route.mode === 'direct' ? null : exemptions(site),
    client: client === undefined ? null : shownClient(client),
    state: missing.length === 0 ? 'on' : present.length === 0 ? 'off' : 'incomplete',
    capture: route.mode === 'client' ? await captureState(context.host) : null,
    missing,
  };
}

function shownClient({ state, node, since, verdict }: ClientState) {
  return { state, node, since, verdict };
}

const labels = {
  route: { en: 'route', zh: '线路' },
  proxy: { en: 'proxy', zh: '代理' },
  client: { en: 'client', zh: '代理客户端' },
  state: { en: 'state', zh: '状态' },
  capture: { en: 'capture', zh: '接管连接' },
} as const;

const direct = { en: 'direct, without a proxy', zh: '直连，不使用代理' };

const clientStates: Readonly<Record<ClientState['state'], Text>> = {
  waiting: { en: 'waiting', zh: '等待导入节点' },
  candidate: { en: 'candidate', zh: '准备切换' },
  probing: { en: 'probing', zh: '正在测试' },
  provisional: { en: 'provisional', zh: '等待确认' },
  active: { en: 'active', zh: '使用中' },
  failed: { en: 'failed', zh: '失败' },
};

const states: Readonly<Record<ShownRoute['state'], Text>> = {
  on: { en: 'on', zh: '已生效' },
  off: { en: 'off', zh: '未生效' },
  incomplete: { en: 'incomplete', zh: '部分生效' },
};

const captureStates: Readonly<Record<CaptureState, Text>> = {
  off: { en: 'off', zh: '未开启' },
  provisional: { en: 'provisional', zh: '等待确认' },
  active: { en: 'active', zh: '已开启' },
  paused: { en: 'paused', zh: '已暂停，连接为直连' },
  broken: { en: 'broken', zh: '已损坏' },
};

/** Formats a route for users. */
export function describeRoute(shown: ShownRoute): string {
  const { mode, proxy, noProxy, client, state, capture, missing } = shown;
  const row = (label: keyof typeof labels, value: string) => [inLanguage(labels[label]), value];
  const named = client && [inLanguage(clientStates[client.state]), client.node].filter(Boolean);
  return formatTable(
    [
      row('route', mode === 'direct' ? inLanguage(direct) : mode),
      ...(proxy && noProxy !== null ? [row('proxy', proxy), ['no_proxy', noProxy]] : []),
      ...(named ? [row('client', named.join(inLanguage(colon)))] : []),
      ...(client?.verdict ? [['', client.verdict]] : []),
      row('state', inLanguage(states[state])),
      ...(capture ? [row('capture', inLanguage(captureStates[capture]))] : []),
      ...missing.map((line) => ['', `- ${line}`]),
    ],
    [{ min: 'no_proxy'.length }],
  );
}

const colon = { en: ': ', zh: '：' };
