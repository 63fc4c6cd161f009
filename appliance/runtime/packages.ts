import type { Site } from '#contract/site/site.ts';
import type { Server } from '../host/server.ts';

const fromDocker = ['docker-ce', 'docker-ce-cli', 'containerd.io'];

/**
 * The Debian packages of the engine. Debian 13 moved the command `docker` out of docker.io; the
 * others have it inside.
 */
export function enginePackages(
  { distribution: { id, version } }: Pick<Server, 'distribution'>,
  { engine }: Pick<Site, 'engine'>,
): string[] {
  const common = ['iptables', 'ca-certificates'];
  if (engine.source === 'docker') return [...fromDocker, ...common];
  const apart = id === 'debian' && Number(version) >= 13 ? ['docker-cli'] : [];
  return ['docker.io', ...apart, ...common];
}
