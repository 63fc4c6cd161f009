import type { ImageReference } from '../registry/reference.ts';

/**
 * Package URLs (https://github.com/package-url/purl-spec): the type, the name in that type's own
 * spelling, the version, then qualifiers sorted by name.
 */

/** An image of a registry, by the digest of its index. */
export function ociPurl(
  { registry, repository, tag }: ImageReference,
  digest: string,
  arch: string,
): string {
  const name = repository.split('/').at(-1) ?? repository;
  const place = encodeURIComponent(`${registry}/${repository}`);
  const tagged = tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`;
  return `pkg:oci/${name}@${encodeURIComponent(digest)}?arch=${arch}&repository_url=${place}${tagged}`;
}

/** A package of npm; its scope is a namespace. */
export function npmPurl(name: string, version: string): string {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `pkg:npm/${path}@${encodeURIComponent(version)}`;
}

/** A release of a project at GitHub, by its tag. */
export function githubPurl(project: string, tag: string): string {
  return `pkg:github/${project.toLowerCase()}@${encodeURIComponent(tag)}`;
}
