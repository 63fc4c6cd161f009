import type { Site } from '#contract/site/site.ts';
import { registryHost } from '../host/pull/image-name.ts';

type Mirrors = Pick<Site, 'mirrors'>;

/**
 * Returns the mirror of Docker Hub for dockerd's `registry-mirrors`. dockerd before version 25 rejects
 * mirrors with a path, and no version accepts a query or a user. Images of such a mirror are pulled by
 * the mirror's name.
 */
export function hubMirrors({ mirrors }: Mirrors): string[] {
  const mirror = mirrors.registries['docker.io'];
  if (mirror === undefined) return [];
  const { pathname, search, hash, username, password } = new URL(mirror);
  const bare =
    pathname === '/' && [search, hash, username, password].every((field) => field === '');
  return bare ? [mirror] : [];
}

/**
 * Returns the hosts of plain HTTP mirrors for dockerd's `insecure-registries`. Images are pulled by
 * digest, so they cannot be modified in transit.
 */
export function plainHosts({ mirrors }: Mirrors): string[] {
  const urls = Object.values(mirrors.registries).map((mirror) => new URL(mirror));
  return [...new Set(urls.filter(({ protocol }) => protocol === 'http:').map(registryHost))];
}
