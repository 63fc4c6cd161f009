import { parseModelMirror } from '#contract/site/model-mirror.ts';
import type { Site } from '#contract/site/site.ts';

/** A mirror, and requests that it answers if it works: one of them suffices. */
export interface MirrorTarget {
  /** The field of the site, such as `mirrors.registries.docker.io`. */
  readonly field: string;
  readonly urls: readonly URL[];
  /** A registry answers 401 to a request without a token. */
  readonly statuses: readonly number[];
}

/** Returns what to request from each mirror of a site, in the order of its fields. */
export function mirrorTargets(mirrors: Site['mirrors']): MirrorTarget[] {
  const { apt, apt_security: security, registries, models, hub, npm, pip } = mirrors;
  const target = (
    name: string,
    base: string | undefined,
    paths: readonly string[],
    statuses: readonly number[] = [200],
  ): MirrorTarget[] => {
    if (base === undefined) return [];
    const urls = paths.map((path) => new URL(`${base.replace(/\/+$/, '')}${path}`));
    return [{ field: `mirrors.${name}`, urls, statuses }];
  };
  const model = models === undefined ? undefined : parseModelMirror(models);
  return [
    ...target('apt', apt, suites.map(releaseFile)),
    ...target('apt_security', security, securitySuites.map(releaseFile)),
    ...Object.entries(registries).flatMap(([host, url]) =>
      target(`registries.${host}`, url, ['/v2/'], [200, 401]),
    ),
    ...target(
      'models',
      model && `${model.insecure ? 'http' : 'https'}://${model.host}`,
      ['/v2/'],
      [200, 401],
    ),
    ...target('hub', hub, ['/api/models?limit=1']),
    ...target('npm', npm, ['/-/ping']),
    ...target('pip', pip, ['/pip/']),
  ];
}

/** Suites that every mirror of Debian, or of Ubuntu, has. */
const suites = ['stable', 'noble'];
const securitySuites = ['stable-security', 'noble-security'];

function releaseFile(suite: string): string {
  return `/dists/${suite}/InRelease`;
}
