import { setTimeout as wait } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../../server/host/host.ts';
import { answersTable } from './names.ts';
import { type BalancerState, type EngineState, parseStates } from './states.ts';
import { withSwarm } from './swarm-servers.ts';

/** Milliseconds between two looks at a server that is drained. */
const interval = 1000;

/**
 * Reads the state of all servers with Ollama from HAProxy.
 * @throws LandfallError STACK_UNHEALTHY
 */
export async function balancerState(host: Host): Promise<BalancerState> {
  const text = await ask(host, `show stat;show table ${answersTable}`);
  return await withSwarm(host, parsed(text));
}

function parsed(text: string): BalancerState {
  try {
    return parseStates(text);
  } catch (cause) {
    throw unhealthy(cause);
  }
}

/**
 * Gives a server no new requests, and moves its chats to others. Waits until it has finished its
 * requests; a chat that begins an answer meanwhile moves then.
 * @param onWait called with the number of requests that it still works on
 * @returns the server
 * @throws LandfallError USAGE for an unknown name, or a node of a Swarm without Ollama; STACK_UNHEALTHY
 */
export async function drain(
  host: Host,
  name: string,
  onWait: (inFlight: number) => void,
): Promise<EngineState> {
  const found = await find(host, name);
  const { backend, id } = found;
  const move = `clear table ${backend} data.server_id eq ${id}`;
  for (const each of namesOf(found)) await ask(host, `set server ${each} state drain`);
  await ask(host, move);
  let last: number | undefined;
  for (;;) {
    const { servers } = await balancerState(host);
    const now = servers.find((each) => each.backend === backend && each.server === found.server);
    // A node of a Swarm may vanish meanwhile.
    const count = now ? now.inFlight + now.waiting : 0;
    if (count === 0) break;
    if (count !== last) onWait(count);
    last = count;
    await wait(interval);
  }
  await ask(host, move);
  return found;
}

/**
 * Gives a drained server requests again, also those that wait in the queue: HAProxy itself looks at the
 * queue only after another request or a change of the limit.
 * @throws LandfallError USAGE as {@link drain}, STACK_UNHEALTHY
 */
export async function resume(host: Host, name: string): Promise<void> {
  await setReady(host, await find(host, name));
}

/** Ends the drain of a server, also of one that HAProxy does not find now. */
export async function setReady(host: Host, found: EngineState): Promise<void> {
  const { backend, server, slots, others } = found;
  for (const each of namesOf(found)) await ask(host, `set server ${each} state ready`);
  const embedding = others
    ? others.filter((each) => each.startsWith('embed-'))
    : [`${backend.replace('generate', 'embed')}/${server}`];
  for (const each of [`${backend}/${server}`, ...embedding]) {
    await ask(host, `set maxconn server ${each} ${slots}`);
  }
}

/** Returns the servers of HAProxy whose state must be set: others follow. */
function namesOf({ backend, server, others = [] }: EngineState): string[] {
  return [`${backend}/${server}`, ...others];
}

async function find(host: Host, name: string): Promise<EngineState> {
  const { servers } = await balancerState(host);
  const found = servers.find((each) => each.name === name);
  if (!found) {
    throw unknownNode(
      name,
      servers.map((each) => each.name),
    );
  }
  if (found.server !== '') return found;
  throw new LandfallError('USAGE', `HAProxy does not find ${name}: ${found.reason}`, {
    hint: { en: 'Look at the nodes: sudo landfall node', zh: '查看节点：sudo landfall node' },
  });
}

/** Returns the error for a name that no node has. */
export function unknownNode(name: string, names: readonly string[]): LandfallError {
  return new LandfallError('USAGE', `no server has the name ${name}`, {
    hint: { en: `Use one of: ${names.join(', ')}.`, zh: `可用：${names.join('、')}。` },
  });
}

/** Sends a command to HAProxy's socket, which is in its container only. */
async function ask(host: Host, command: string): Promise<string> {
  try {
    const { stdout } = await host.run(
      'docker',
      [
        ...['exec', '--interactive', 'landfall-balancer'],
        ...['socat', '-t', '10', '-', 'UNIX-CONNECT:/tmp/haproxy.sock'],
      ],
      { input: `${command}\n`, seconds: 20 },
    );
    return stdout;
  } catch (cause) {
    if (!(cause instanceof LandfallError) || cause.code !== 'COMMAND_FAILED') throw cause;
    throw unhealthy(cause);
  }
}

function unhealthy(cause: unknown): LandfallError {
  return new LandfallError('STACK_UNHEALTHY', 'HAProxy does not respond', {
    hint: {
      en: 'Read its log: sudo docker logs --tail 50 landfall-balancer',
      zh: '查看它的日志：sudo docker logs --tail 50 landfall-balancer',
    },
    cause,
  });
}
