import type { Platform } from '../../base/platform.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import { composePluginFile, nodeFile, singBoxFile } from '../../inputs/lock/inputs.ts';
import { type Lock, unresolved } from '../../inputs/lock/lock.ts';
import type { ImageReference } from '../../inputs/registry/reference.ts';
import type { SbomComponent } from './encode.ts';

/** Returns the components outside of the stack: Node, Docker's Compose plugin, the proxy client. */
export function runtimeComponents(
  { node, compose_plugin: plugin, clients }: Pick<Appliance, 'node' | 'compose_plugin' | 'clients'>,
  lock: Pick<Lock, 'files'>,
  platform: Platform,
): SbomComponent[] {
  const application = (
    name: string,
    version: string,
    purl: string | undefined,
    file: string,
  ): SbomComponent => ({
    ref: `runtime:${name}`,
    type: 'application',
    ...{ name, version, purl },
    ...fileFacts(lock, file, platform),
  });
  const github = (name: string, version: string, project: string, file: string) =>
    application(name, version, githubPurl(project, `v${version}`), file);
  const nodeName = /^npm:(.+)@/.exec(lock.files[nodeFile]?.[platform]?.urls[0] ?? '')?.[1];
  const client = clients?.['sing-box'];
  return [
    application('node', node.version, nodeName && npmPurl(nodeName, node.version), nodeFile),
    github('docker-compose', plugin.version, 'docker/compose', composePluginFile),
    ...(client ? [github('sing-box', client.version, 'SagerNet/sing-box', singBoxFile)] : []),
  ];
}

function fileFacts(
  { files }: Pick<Lock, 'files'>,
  name: string,
  platform: Platform,
): Pick<SbomComponent, 'sha256' | 'urls'> {
  const { urls = [], sha256 = unresolved } = files[name]?.[platform] ?? {};
  return {
    sha256: sha256 === unresolved ? undefined : sha256,
    urls: urls.filter((url) => /^https?:/.test(url)),
  };
}

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
function githubPurl(project: string, tag: string): string {
  return `pkg:github/${project.toLowerCase()}@${encodeURIComponent(tag)}`;
}
