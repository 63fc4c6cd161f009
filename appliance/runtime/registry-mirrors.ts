import type { Site } from '#contract/site/site.ts';
import { registryHost } from '../host/pull/image-name.ts';

type Mirrors = Pick<Site, 'mirrors'>;

/**
 * The mirror of Docker's hub, as dockerd takes one. Engines before 25 do not start over a mirror
 * with a path, and none takes a query or a user; what lies at such a place is pulled by the
 * mirror's own name alone.
 */
export function hubMirrors({ mirrors }: Mirrors): string[] {
  const mirror = mirrors.registries['docker.io'];
  if (mirror === undefined) return [];
  const { pathname, search, hash, username, password } = new URL(mirror);
  const bare = pathname === '/' && [search, hash, username, password].every((part) => part === '');
  return bare ? [mirror] : [];
}

/**
 * The hosts of mirrors that speak plain HTTP, which engines insist on being told. What is pulled
 * there is named by its digest, so nobody on the way can change it.
 */
export function plainHosts({ mirrors }: Mirrors): string[] {
  const urls = Object.values(mirrors.registries).map((mirror) => new URL(mirror));
  return [...new Set(urls.filter(({ protocol }) => protocol === 'http:').map(registryHost))];
}
