import { setTimeout as wait } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { balancerState, drain as drainServer, setReady } from '../../nodes/balancer/socket.ts';
import type { EngineState } from '../../nodes/balancer/states.ts';
import {
  nodeAt,
  removeNode,
  type SwarmNode,
  setAvailability,
} from '../../nodes/swarm/docker-swarm.ts';
import { acceptMembers } from '../../nodes/swarm/first-server.ts';
import type { Host } from '../../server/host/host.ts';
import { withChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Context } from '../../server/stage/stage.ts';
import { askFor } from '../ask-yes.ts';
import type { ChangeFlags } from '../command.ts';
import { firstServer, memberOf } from './first.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Gives a node no new requests, waits until it is idle, and stops its Ollama.
 * @throws LandfallError USAGE for an unknown node, or one that has not joined
 */
export async function drain(context: Context, name: string, { json }: ChangeFlags): Promise<void> {
  const { host } = context;
  const first = await firstServer(context);
  const { id } = joined(first.nodes, memberOf(first, name).address, name);
  const print = (line: string) => (json ? undefined : console.log(line));
  const server = await idle(context, name, print);
  await setAvailability(host, id, 'drain');
  if (server) await forgetDrain(host, server);
  const resumed = `sudo landfall node resume ${name}`;
  print(
    say(
      `${name} is idle, and its Ollama stops. To use it again: ${resumed}`,
      `${name} 已空闲，其 Ollama 正在停止。重新使用它：${resumed}`,
    ),
  );
  if (json) console.log(JSON.stringify({ name, state: 'drained' }, null, 2));
}

/** Starts Ollama on a drained node again; HAProxy then finds it. @throws LandfallError USAGE */
export async function resume(context: Context, name: string, { json }: ChangeFlags): Promise<void> {
  const first = await firstServer(context);
  const { id } = joined(first.nodes, memberOf(first, name).address, name);
  await setAvailability(context.host, id, 'active');
  const text = say(
    `${name} starts its Ollama, and gets requests when it is healthy: sudo landfall node`,
    `${name} 正在启动 Ollama，状态正常后会收到请求：sudo landfall node`,
  );
  console.log(json ? JSON.stringify({ name, state: 'ready' }, null, 2) : text);
}

/**
 * Takes a node out of the Swarm: it cannot connect any more. A node that cannot be reached is removed too.
 * @throws LandfallError USAGE for an unknown node
 */
export async function remove(
  context: Context,
  name: string,
  { yes = false, json }: ChangeFlags,
): Promise<void> {
  const { host } = context;
  const first = await firstServer(context);
  const { address } = memberOf(first, name);
  const question = say(
    `${name} gets no more requests, and must join again with a new token. Continue? [y/N] `,
    `${name} 将不再收到请求，之后必须用新令牌重新加入。继续吗？[y/N] `,
  );
  if (!yes && !(await askFor('y', question, '--yes')))
    return console.log(say('Nothing was changed.', '没有做任何更改。'));
  const print = (line: string) => (json ? undefined : console.log(line));
  const same = first.nodes.filter((node) => node.address === address);
  const isUsed = same.some(({ isReady, isDrained }) => isReady && !isDrained);
  const server = isUsed ? await idle(context, name, print) : undefined;
  for (const { id } of same) {
    await setAvailability(host, id, 'drain');
    await removeNode(host, id);
  }
  if (server) await forgetDrain(host, server);
  await withChangeLock(host, async () => {
    // Waiting takes long, and a token may have been made meanwhile.
    const { members } = await firstServer(context);
    const others = members.filter((member) => member.name !== name);
    await acceptMembers(host, first.settings, others);
  });
  const text = say(
    `${name} is removed. On that server, to answer alone again: sudo landfall node leave`,
    `${name} 已移除。要让它重新单独回答，在那台服务器上运行：sudo landfall node leave`,
  );
  console.log(json ? JSON.stringify({ name, state: 'removed' }, null, 2) : text);
}

/** Waits until a node is idle. Returns its server in HAProxy; undefined for a node that is down. */
async function idle(
  { host }: Context,
  name: string,
  print: (line: string) => void,
): Promise<EngineState | undefined> {
  try {
    return await drainServer(host, name, (count) => print(stillWorks(name, count)));
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'USAGE') throw error;
    return undefined;
  }
}

/** Says why a drain takes long. */
export function stillWorks(name: string, count: number): string {
  return say(`${name} still works on ${count} requests.`, `${name} 仍在处理 ${count} 个请求。`);
}

/** Milliseconds until HAProxy has noticed that the task has stopped, and between two looks. */
const [stopsWithin, interval] = [60_000, 1000];

/** Another node may get the same server in HAProxy, so that its drain ends when this node has left it. */
async function forgetDrain(host: Host, server: EngineState): Promise<void> {
  const end = performance.now() + stopsWithin;
  while (performance.now() < end) {
    const { servers } = await balancerState(host);
    if (!servers.some((each) => each.server === server.server)) break;
    await wait(interval);
  }
  await setReady(host, server);
}

function joined(nodes: readonly SwarmNode[], address: string, name: string): SwarmNode {
  const node = nodeAt(nodes, address);
  if (node) return node;
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: `${name} has not joined yet`, zh: `${name} 还没有加入` }),
    {
      hint: {
        en: 'Run on that server: sudo landfall node join',
        zh: '在那台服务器上运行：sudo landfall node join',
      },
    },
  );
}
