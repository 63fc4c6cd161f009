import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { nodeAt } from '../../nodes/swarm/docker-swarm.ts';
import { type EngineTask, engineTasks } from '../../nodes/swarm/tasks.ts';
import { handshakes } from '../../nodes/swarm/wireguard.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { JsonFlag } from '../command.ts';
import { type FirstServer, firstServer } from './first.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** A node as the first server sees it. */
export interface ListedNode {
  readonly name: string;
  readonly address: string;
  /** `invited`: its token is valid, and no server has joined with it. */
  readonly state: 'invited' | 'ready' | 'drained' | 'down';
  /** The state of its task, such as `running` or `rejected`. */
  readonly ollama?: string;
  readonly error?: string;
  readonly docker?: string;
  /** Seconds since the last handshake of WireGuard. */
  readonly seen?: number;
  readonly expires?: string;
}

const stateTexts: Readonly<Record<ListedNode['state'], Text>> = {
  invited: { en: 'invited', zh: '待加入' },
  ready: { en: 'ready', zh: '就绪' },
  drained: { en: 'drained', zh: '已排空' },
  down: { en: 'down', zh: '不可用' },
};

/** Prints the nodes of the Swarm. */
export async function listNodes(context: Context, { json = false }: JsonFlag): Promise<void> {
  const { host } = context;
  const first = await firstServer(context);
  const nodes = listed(first, await engineTasks(host), await handshakes(host));
  console.log(json ? JSON.stringify({ nodes }, null, 2) : describeNodes(nodes));
}

/**
 * Combines what the members, Docker and WireGuard know of each node.
 * @param seen seconds since 1970 of the last handshake, by public key
 */
export function listed(
  { members, nodes }: Pick<FirstServer, 'members' | 'nodes'>,
  tasks: readonly EngineTask[],
  seen: ReadonlyMap<string, number>,
  now = Date.now(),
): ListedNode[] {
  return members.map(({ name, address, publicKey, expires }) => {
    const node = nodeAt(nodes, address);
    const at = seen.get(publicKey);
    const common = {
      ...{ name, address },
      ...(at ? { seen: Math.max(0, Math.round(now / 1000 - at)) } : {}),
    };
    if (!node) return { ...common, state: 'invited', expires };
    const task = tasks.find(({ nodeId }) => nodeId === node.id);
    return {
      ...common,
      state: node.isReady ? (node.isDrained ? 'drained' : 'ready') : 'down',
      docker: node.docker,
      ...(task ? { ollama: task.state } : {}),
      ...(task?.error ? { error: task.error } : {}),
    };
  });
}

/** Formats the nodes as a table, with the errors of their tasks below. */
export function describeNodes(nodes: readonly ListedNode[]): string {
  if (nodes.length === 0) {
    return say(
      'No nodes yet. To add one: sudo landfall node token gpu1',
      '还没有节点。添加一个：sudo landfall node token gpu1',
    );
  }
  const rows = nodes.map(({ name, address, state, ollama = '-', docker = '-', seen }) => {
    return [name, inLanguage(stateTexts[state]), ollama, docker, address, agoText(seen)];
  });
  const heads = say(
    'NAME|STATE|OLLAMA|DOCKER|ADDRESS|SEEN',
    '名称|状态|OLLAMA|DOCKER|地址|上次连接',
  );
  return [
    ...alignRows([heads.split('|'), ...rows]),
    ...nodes.flatMap(({ name, error, expires }) => [
      ...(error === undefined ? [] : [`${name}: ${error}`]),
      ...(expires === undefined ? [] : [invitedText(name, formatTime(new Date(expires)))]),
    ]),
  ].join('\n');
}

function agoText(seconds: number | undefined): string {
  if (seconds === undefined) return say('never', '从未');
  const duration = formatDuration(seconds * 1000);
  return say(`${duration} ago`, `${duration} 前`);
}

function invitedText(name: string, ends: string): string {
  return say(
    `${name} has not joined; its token ends at ${ends}`,
    `${name} 尚未加入；令牌在 ${ends} 失效`,
  );
}
