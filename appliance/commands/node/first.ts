import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import type { Engines } from '#contract/site/engines/engines.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type SwarmNode, swarmNodes, swarmState } from '../../nodes/swarm/docker-swarm.ts';
import { currentMembers } from '../../nodes/swarm/first-server.ts';
import type { Member } from '../../nodes/swarm/members.ts';
import type { Context } from '../../server/stage/stage.ts';

/** The first server of a Swarm. */
export interface FirstServer {
  readonly settings: NonNullable<Engines['swarm']>;
  readonly members: readonly Member[];
  readonly nodes: readonly SwarmNode[];
}

/**
 * Returns the Swarm of this server.
 * @throws LandfallError USAGE on a server that is not the first one of a Swarm, SWARM_CONFLICT while
 *   Docker is not its manager
 */
export async function firstServer({
  host,
  site,
}: Pick<Context, 'host' | 'site'>): Promise<FirstServer> {
  const settings = site.engines?.swarm;
  if (isEngineNode(site)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'this server is an engine node', zh: '这台服务器是推理节点' }),
      {
        hint: { en: 'Run the command on the first server.', zh: '在第一台服务器上运行这条命令。' },
      },
    );
  }
  if (!settings) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'the site has no engines.swarm', zh: '站点没有设置 engines.swarm' }),
      {
        hint: {
          en: 'Restarts all components: sudo landfall site set engines.swarm.slots 1',
          zh: 'sudo landfall site set engines.swarm.slots 1（会重启所有组件）',
        },
      },
    );
  }
  const { isManager, error } = await swarmState(host);
  if (!isManager) {
    throw new LandfallError(
      'SWARM_CONFLICT',
      `Docker does not manage the Swarm${error && `: ${error}`}`,
      {
        hint: { en: 'Run: sudo landfall first-boot', zh: '运行：sudo landfall first-boot' },
      },
    );
  }
  return { settings, members: await currentMembers(host), nodes: await swarmNodes(host) };
}

/** Returns the member of a name. @throws LandfallError USAGE if there is none */
export function memberOf({ members }: FirstServer, name: string): Member {
  const found = members.find((member) => member.name === name);
  if (found) return found;
  const names = members.map((member) => member.name);
  throw new LandfallError(
    'USAGE',
    inLanguage({ en: `no node has the name ${name}`, zh: `没有名为 ${name} 的节点` }),
    {
      hint: names.length > 0 ? `Use one of: ${names.join(', ')}.` : 'There are no nodes yet.',
    },
  );
}
