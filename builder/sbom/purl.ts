import type { ImageReference } from '../registry/reference.ts';

/**
 * Package URLs (https://github.com/package-url/purl-spec): type, name, version, and qualifiers sorted
 * by name.
 */

/** Returns the URL of an image in a registry, by the digest of its index. */
export function ociPurl(
  { registry, repository, tag }: ImageReference,
  digest: string,
  arch: string,
): string {
  const name = repository.split('/').at(-1) ?? repository;
  const repositoryUrl = encodeURIComponent(`${registry}/${repository}`);
  const tagged = tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`;
  return `pkg:oci/${name}@${encodeURIComponent(digest)}?arch=${arch}&repository_url=${repositoryUrl}${tagged}`;
}

/** Returns the URL of an npm package; its scope becomes a namespace. */
export function npmPurl(name: string, version: string): string {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `pkg:npm/${path}@${encodeURIComponent(version)}`;
}

/** Returns the URL of a GitHub release, by its tag. */
export function githubPurl(project: string, tag: string): string {
  return `pkg:github/${project.toLowerCase()}@${encodeURIComponent(tag)}`;
}
