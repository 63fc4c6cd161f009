import { connect as connectSocket } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { inLanguage } from '#contract/text/language.ts';
import { dockerMajor, joinSwarm, leaveSwarm, swarmState } from '../../nodes/swarm/docker-swarm.ts';
import {
  connect,
  forgetMembership,
  storedMembership,
  writeMembership,
} from '../../nodes/swarm/membership.ts';
import { firstAddress, swarmPorts } from '../../nodes/swarm/network.ts';
import { awaitTask, forgetImage } from '../../nodes/swarm/node-task.ts';
import { type NodeToken, parseToken } from '../../nodes/swarm/token.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import { Journal } from '../../server/stage/journal.ts';
import { runAlone } from '../../server/stage/run-stages.ts';
import type { Context } from '../../server/stage/stage.ts';
import { changeFirewall } from '../../stages/firewall/apply.ts';
import { firewallFacts } from '../../stages/firewall/facts.ts';
import { stackStage } from '../../stages/stack/stage.ts';
import type { JsonFlag } from '../command.ts';
import { readHidden } from '../read-hidden.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Milliseconds for the first answer through WireGuard. */
const answerWithin = 10_000;

/**
 * Asks for a token and joins the Swarm of its server. Nothing is left of an attempt that fails.
 * @throws LandfallError USAGE on another server than an engine node, NODE_TOKEN, NODE_UNREACHABLE,
 *   SWARM_CONFLICT
 */
export async function joinByHand(context: Context, { json = false }: JsonFlag): Promise<void> {
  const { host, site } = context;
  if (!isEngineNode(site)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'only an engine node can join', zh: '只有推理节点才能加入' }),
      {
        hint: {
          en: 'Set up a new server with `role: engine-node` in its site (scale.md of the documentation).',
          zh: '用站点配置 `role: engine-node` 部署一台新服务器（见 Landfall 文档 scale.md）。',
        },
      },
    );
  }
  const token = parseToken(
    await readHidden(say('Token of this node (hidden): ', '这个节点的令牌（输入时不显示）：')),
  );
  if (token.engine !== site.ports.engine) {
    throw new LandfallError(
      'USAGE',
      `ports.engine is ${site.ports.engine} here, and ${token.engine} on the first server`,
      {
        hint: {
          en: `Set the same port: sudo landfall site set ports.engine ${token.engine}`,
          zh: `设置相同的端口：sudo landfall site set ports.engine ${token.engine}`,
        },
      },
    );
  }
  const lock = await takeChangeLock(host, (line) => process.stderr.write(`${line}\n`));
  try {
    const print = (line: string) => (json ? undefined : console.log(line));
    await join(context, token, print);
    const own = await dockerMajor(host);
    if (own !== token.docker) {
      print(
        say(
          `Docker has the major version ${own} here, and ${token.docker} on the first server. Use the same one.`,
          `这里的 Docker 主版本是 ${own}，第一台服务器上是 ${token.docker}。请使用相同的版本。`,
        ),
      );
    }
    const { name, address } = token;
    print(
      say(
        `${name} has joined, and answers when its models are loaded. On the first server: sudo landfall node`,
        `${name} 已加入，模型加载后开始回答。在第一台服务器上查看：sudo landfall node`,
      ),
    );
    if (json) console.log(JSON.stringify({ name, address, state: 'joined' }, null, 2));
  } finally {
    await lock.release();
  }
}

async function join(
  context: Context,
  token: NodeToken,
  print: (line: string) => void,
): Promise<void> {
  const { host } = context;
  const earlier = await storedMembership.read(host);
  const { state, isManager, managers } = await swarmState(host);
  const isSame = earlier?.peer === token.peer && earlier.address === token.address;
  if ((earlier || state !== 'inactive') && !isSame) {
    const message = isManager
      ? 'this server is the manager of a Swarm'
      : `this server is in the Swarm of ${managers[0] ?? earlier?.host}`;
    throw new LandfallError('SWARM_CONFLICT', message, {
      hint: earlier
        ? { en: 'First run: sudo landfall node leave', zh: '先运行：sudo landfall node leave' }
        : {
            en: 'If you do not need that Swarm: sudo docker swarm leave --force',
            zh: '如果不需要那个 Swarm：sudo docker swarm leave --force',
          },
    });
  }
  try {
    print(say(`connecting to ${token.host}`, `正在连接 ${token.host}`));
    await writeMembership(host, token);
    await connect(host, token);
    await changeFirewall(host, { facts: await firewallFacts(host, context.site) });
    await expectAnswer(token);
    if (isSame && state === 'active') return;
    print(say('starting Ollama as a service of the Swarm', '正在将 Ollama 作为 Swarm 的服务启动'));
    await runAlone(stackStage, context, new Journal(host));
    await joinSwarm(host, token.address, token.swarm).catch(explain);
    await awaitTask(host);
  } catch (error) {
    // A node that only had to connect again stays a member.
    if (!isSame) await undo(context);
    throw error;
  }
}

/** Leaves the Swarm and forgets it; then Compose starts Ollama again. */
export async function undo(context: Context): Promise<void> {
  const { host, site } = context;
  await leaveSwarm(host);
  await forgetImage(host);
  await forgetMembership(host);
  await changeFirewall(host, { facts: await firewallFacts(host, site) });
  await runAlone(stackStage, context, new Journal(host));
}

/** The manager's port answers through WireGuard only, so an answer proves all openings. */
async function expectAnswer({ host, port, name }: NodeToken): Promise<void> {
  const end = performance.now() + answerWithin;
  while (performance.now() < end) if (await answers(end - performance.now())) return;
  throw new LandfallError(
    'NODE_UNREACHABLE',
    inLanguage({
      en: `no answer from ${host}, port ${port}/udp, within ${answerWithin / 1000} s`,
      zh: `${host} 的端口 ${port}/udp 在 ${answerWithin / 1000} 秒内没有响应`,
    }),
    {
      hint: {
        en: `Open ${port}/udp in the firewall of its provider. If the token is not the newest of ${name}, make a new one.`,
        zh: `在它的云服务商的防火墙中开放 ${port}/udp。如果令牌不是 ${name} 最新的，请重新生成。`,
      },
    },
  );
}

async function answers(milliseconds: number): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const socket = connectSocket({ host: firstAddress, port: swarmPorts.manager });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(Math.max(1, Math.min(milliseconds, 2000)), () => end(false));
    socket.once('connect', () => end(true)).once('error', () => setTimeout(() => end(false), 200));
  });
}

/** Turns Docker's reason into an error with a hint. */
function explain(error: unknown): never {
  if (!(error instanceof LandfallError) || error.code !== 'COMMAND_FAILED') throw error;
  const text = [error.message, ...error.problems.map(({ message }) => message)].join('\n');
  const details = { problems: error.problems, cause: error };
  if (/certificate has expired or is not yet valid/.test(text)) {
    throw new LandfallError(
      'NODE_UNREACHABLE',
      inLanguage({ en: 'the clocks of the two servers differ', zh: '两台服务器的时钟不一致' }),
      {
        ...details,
        hint: {
          en: 'Compare `date` on both, set the clock, and join again.',
          zh: '在两台服务器上比较 `date`，校准时钟，再重新加入。',
        },
      },
    );
  }
  if (/join token|fingerprint|PermissionDenied/.test(text)) {
    throw new LandfallError(
      'NODE_TOKEN',
      inLanguage({
        en: 'Docker of the first server rejects the token',
        zh: '第一台服务器的 Docker 拒绝了令牌',
      }),
      {
        ...details,
        hint: {
          en: 'Make a new one on the first server: sudo landfall node token <name>',
          zh: '在第一台服务器上重新生成：sudo landfall node token <名称>',
        },
      },
    );
  }
  throw new LandfallError(
    'NODE_UNREACHABLE',
    inLanguage({ en: 'Docker could not join the Swarm', zh: 'Docker 没能加入 Swarm' }),
    {
      ...details,
      hint: {
        en: 'Look at it on the first server: sudo landfall node; sudo journalctl -u docker',
        zh: '在第一台服务器上查看：sudo landfall node；sudo journalctl -u docker',
      },
    },
  );
}
