import type { Server } from '../host/server.ts';

/**
 * The Debian packages of the engine. Debian 13 moved the command `docker` out of docker.io; the
 * others have it inside.
 */
export function enginePackages({ distribution }: Pick<Server, 'distribution'>): string[] {
  const common = ['docker.io', 'iptables', 'ca-certificates'];
  const { id, version } = distribution;
  return id === 'debian' && Number(version) >= 13 ? [...common, 'docker-cli'] : common;
}
