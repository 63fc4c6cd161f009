import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { swarmState } from '../../nodes/swarm/docker-swarm.ts';
import { deploySwarm, missingOfSwarm, prepareSwarm } from '../../nodes/swarm/first-server.ts';
import { storedMembership } from '../../nodes/swarm/membership.ts';
import { awaitTask, isImageNamed, nameImage, restartTask } from '../../nodes/swarm/node-task.ts';
import { renderSwarmStack } from '../../nodes/swarm/stack-file.ts';
import { install, missing } from '../../server/host/service.ts';
import { wireguardTools } from '../../server/host/wireguard/interface.ts';
import type { Context } from '../../server/stage/stage.ts';
import { awaitHealth, lateServices, unhealthy } from './await-health.ts';
import { compose } from './compose.ts';
import { componentStates } from './stack-state.ts';

type StackContext = Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder'>;

/** Returns what the Swarm of this server lacks, one line per action; on a server without one, nothing. */
export async function missingForNodes(context: StackContext): Promise<string[]> {
  const { host, site, release } = context;
  const { swarm } = site.engines ?? {};
  if (swarm) return await missingOfSwarm(host, swarm, () => swarmStackText(context));
  if (!isEngineNode(site)) return [];
  const lines = await missing(host, wireguardTools);
  if (!(await storedMembership.read(host))) return lines;
  const isNamed = await isImageNamed(host, localImage(engineOf(release)));
  return isNamed ? lines : [...lines, inLanguage(startOllama)];
}

const startOllama = { en: 'start the Ollama of this release', zh: '启动这个版本的 Ollama' };

/**
 * Prepares what HAProxy, or the task of a node, needs before it starts.
 * @param changed paths of rendered files that were just written
 * @throws LandfallError STACK_UNHEALTHY, SWARM_CONFLICT
 */
export async function prepareNodes(
  context: StackContext & Pick<Context, 'report'>,
  changed: readonly string[],
): Promise<void> {
  const { host, site, release, report } = context;
  if (site.engines?.swarm) await prepareSwarm(host, site.engines.swarm, report);
  if (!isEngineNode(site)) return;
  await install(host, wireguardTools, report);
  if (!(await storedMembership.read(host))) return;
  const isNew = await nameImage(host, localImage(engineOf(release)));
  if (isNew || changed.some((path) => path.startsWith('engine/'))) await replaceTask(context);
}

/**
 * Restarts Ollama of a node, with the image that has the name now.
 * @throws LandfallError STACK_UNHEALTHY if it does not become healthy
 */
async function replaceTask(context: Parameters<typeof prepareNodes>[0]): Promise<void> {
  const { host, site } = context;
  // A node that is about to join.
  if ((await swarmState(host)).state !== 'active') return;
  await restartTask(host);
  if (await awaitTask(host)) return await awaitHealth(context, ['engine']);
  const late = lateServices(['engine'], await componentStates(host, site));
  // A drained node has none.
  if (late.some(({ state }) => state !== 'missing')) throw unhealthy(late);
}

/** Deploys Ollama on the nodes. */
export async function deployNodes(context: StackContext): Promise<void> {
  const { host, site } = context;
  if (site.engines?.swarm) await deploySwarm(host, await swarmStackText(context));
}

/**
 * Renders the stack file of the Swarm from `compose.yaml` of the release.
 * @throws LandfallError STATE_INVALID
 */
export async function swarmStackText({
  host,
  site,
  releaseFolder,
}: Omit<StackContext, 'release'>): Promise<string> {
  const { stdout } = await compose(host, releaseFolder, ['config', '--format', 'json'], {
    alone: true,
  });
  const { services } = parseJson(stdout) as { services: { engine: Record<string, unknown> } };
  return renderSwarmStack(services.engine, {
    slots: site.engines?.swarm?.slots ?? 1,
    port: site.ports.engine,
  });
}

function engineOf({ images }: Context['release']) {
  const found = images.find(({ component }) => component === 'engine');
  if (found) return found;
  throw new LandfallError('STATE_INVALID', 'the release has no image of Ollama', {
    hint: 'Build it again with `landfall build`.',
  });
}
