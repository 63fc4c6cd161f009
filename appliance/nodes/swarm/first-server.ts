import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { dockerSwarmFolder, restoredSwarmFolder, stackFolder } from '#contract/server-paths.ts';
import type { Engines } from '#contract/site/engines/engines.ts';
import { say } from '#contract/text/language.ts';
import { isFile, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, missing, type Service } from '../../server/host/service.ts';
import {
  dockerMajor,
  ensureGatewayBridge,
  ensureOverlay,
  hasNetwork,
  initSwarm,
  leaveSwarm,
  swarmNodes,
  swarmState,
} from './docker-swarm.ts';
import {
  type Member,
  ownKey,
  readMembers,
  readUnusedKeys,
  writeMembers,
  writeUnusedKeys,
} from './members.ts';
import { firstAddress, overlay } from './network.ts';
import { engineService, swarmStackName } from './stack-file.ts';
import { disconnect, firstInterface, handshakes, hasInterface } from './wireguard.ts';

type Settings = NonNullable<Engines['swarm']>;

/** The stack file, for people: Docker has its own copy. */
const stackFile = `${stackFolder}/swarm.yaml`;

/**
 * Returns what {@link prepareSwarm} and {@link deploySwarm} would do, one line per action.
 * @param stack returns the text of the stack file
 */
export async function missingOfSwarm(
  host: Host,
  settings: Settings,
  stack: () => Promise<string>,
): Promise<string[]> {
  const lines = await missing(host, await interfaceOf(host, settings));
  const { state } = await swarmState(host);
  if (state !== 'active') return [...lines, say('start a Swarm for the nodes', '为节点启动 Swarm')];
  if (!(await hasNetwork(host, overlay.name)))
    lines.push(say('create the network of the nodes', '创建节点的网络'));
  const isDeployed =
    (await isFile(host, stackFile, await stack(), { mode: 0o644 })) &&
    (await host.succeeds('docker', ['service', 'inspect', engineService]));
  return isDeployed ? lines : [...lines, say('deploy Ollama on the nodes', '在节点上部署 Ollama')];
}

/**
 * Starts WireGuard, the Swarm and its network, which HAProxy connects to.
 * @throws LandfallError SWARM_CONFLICT if Docker belongs to another Swarm
 */
export async function prepareSwarm(
  host: Host,
  settings: Settings,
  report: { say(line: string): void },
): Promise<void> {
  await install(host, await interfaceOf(host, settings), report);
  await refuseOther(host);
  await ensureGatewayBridge(host);
  if ((await swarmState(host)).state === 'inactive') {
    const isRestored = existsSync(host.path(restoredSwarmFolder));
    if (isRestored) await placeRestored(host);
    await initSwarm(host, isRestored);
    if (isRestored) await rm(host.path(restoredSwarmFolder), { recursive: true });
  }
  await ensureOverlay(host);
}

/** First major version of Docker whose `stack deploy` has the option. */
const knowsDetach = 26;

/** Deploys Ollama on the nodes: one after another, and a node that fails stops the others. */
export async function deploySwarm(host: Host, text: string): Promise<void> {
  await writeText(host, stackFile, text, { mode: 0o644 });
  // By default, a later version waits until all nodes have the new image.
  const detach = (await dockerMajor(host)) >= knowsDetach ? ['--detach=true'] : [];
  const args = ['stack', 'deploy', ...detach, '--resolve-image', 'never', '--prune'];
  await host.run('docker', [...args, '--compose-file', host.path(stackFile), swarmStackName]);
}

/** Ends the Swarm of a site that has none. Costs nothing on a server that never had one. */
export async function removeSwarm(host: Host): Promise<void> {
  if (!(await hasInterface(host))) return;
  await leaveSwarm(host);
  await removeFile(host, stackFile);
  await writeMembers(host, []);
  await writeUnusedKeys(host, []);
  await disconnect(host);
}

/** Makes WireGuard accept the current members. */
export async function acceptMembers(
  host: Host,
  settings: Settings,
  members: readonly Member[],
): Promise<void> {
  await writeMembers(host, members);
  await install(host, await interfaceOf(host, settings));
}

/**
 * Makes WireGuard accept a new token, in place of an earlier one for the same node. Its key counts as unused
 * until a server connects with it.
 */
export async function inviteMember(
  host: Host,
  settings: Settings,
  members: readonly Member[],
  member: Member,
): Promise<void> {
  await writeUnusedKeys(host, [...(await readUnusedKeys(host)), member.publicKey]);
  const others = members.filter(({ name }) => name !== member.name);
  await acceptMembers(host, settings, [...others, member]);
}

/** Takes back the keys of tokens that ended before a server joined with them. */
export async function forgetExpired(host: Host, settings: Settings): Promise<void> {
  const [members, current] = [await readMembers(host), await currentMembers(host)];
  if (current.length < members.length) await acceptMembers(host, settings, current);
}

/**
 * Returns the members without those that did not join before their token ended. An address alone proves
 * nothing: another server may have joined there before, with an earlier token of the same name.
 */
export async function currentMembers(host: Host, now = Date.now()): Promise<Member[]> {
  const joined = new Set((await swarmNodes(host)).map(({ address }) => address));
  const members = await readMembers(host);
  const unused = new Set(await forgetUsedKeys(host, members));
  return members.filter(
    ({ address, publicKey, expires }) =>
      (joined.has(address) && !unused.has(publicKey)) || Date.parse(expires) > now,
  );
}

/** Forgets keys with which a server has connected, or that belong to no member. Returns the unused ones. */
async function forgetUsedKeys(host: Host, members: readonly Member[]): Promise<readonly string[]> {
  const known = await readUnusedKeys(host);
  if (known.length === 0) return [];
  const used = await handshakes(host);
  const own = new Set(members.map(({ publicKey }) => publicKey));
  const unused = known.filter((key) => own.has(key) && (used.get(key) ?? 0) === 0);
  if (unused.length < known.length) await writeUnusedKeys(host, unused);
  return unused;
}

async function interfaceOf(host: Host, { port }: Settings): Promise<Service> {
  return firstInterface(await ownKey(host), port, await readMembers(host));
}

async function refuseOther(host: Host): Promise<void> {
  const { state, isManager, address, managers, error } = await swarmState(host);
  if (state === 'inactive' || (isManager && address === firstAddress)) return;
  if (error !== '') {
    throw new LandfallError('SWARM_CONFLICT', `Docker does not manage the Swarm: ${error}`, {
      hint: {
        en: 'Restart it: sudo systemctl restart docker. Then run: sudo landfall first-boot',
        zh: '重启它：sudo systemctl restart docker。再运行：sudo landfall first-boot',
      },
    });
  }
  const message = isManager
    ? `Docker of this server is the manager of a Swarm at ${address}`
    : `Docker of this server is in the Swarm of ${managers[0] ?? 'another server'}`;
  throw new LandfallError('SWARM_CONFLICT', message, {
    hint: {
      en: 'Use another server. Or, if you do not need that Swarm: sudo docker swarm leave --force',
      zh: '换一台服务器；如果不需要那个 Swarm：sudo docker swarm leave --force',
    },
  });
}

/** Docker reads its state when it starts. */
async function placeRestored(host: Host): Promise<void> {
  await host.run('systemctl', ['stop', 'docker.socket', 'docker.service']);
  await rm(host.path(dockerSwarmFolder), { recursive: true, force: true });
  await cp(host.path(restoredSwarmFolder), host.path(dockerSwarmFolder), { recursive: true });
  await host.run('systemctl', ['start', 'docker.service']);
}
