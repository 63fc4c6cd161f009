import type { Site } from '#contract/site/site.ts';
import type { Server } from '../host/server.ts';

const fromDocker = ['docker-ce', 'docker-ce-cli', 'containerd.io'];

/**
 * Returns the packages of Docker. Debian 13 moved the command `docker` from docker.io to docker-cli.
 */
export function dockerPackages(
  { distribution: { id, version } }: Pick<Server, 'distribution'>,
  { engine }: Pick<Site, 'engine'>,
): string[] {
  const common = ['iptables', 'ca-certificates'];
  if (engine.source === 'docker') return [...fromDocker, ...common];
  const cli = id === 'debian' && Number(version) >= 13 ? ['docker-cli'] : [];
  return ['docker.io', ...cli, ...common];
}
