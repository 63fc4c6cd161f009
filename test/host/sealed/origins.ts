import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { findDebianMirror } from '../../setup/debian/debian-mirror.ts';
import { PackageProxy } from '../../setup/debian/package-proxy.ts';
import type { Provider } from '../../stand-ins/provider/provider.ts';
import type { Cloud, CloudDependencies } from '../network/cloud.ts';
import { webServer } from '../network/web.ts';
import { answeredBy, type Origin } from './overseas.ts';

/** Options of `SealedPremises.open`, as `hostNeeds` returns them. */
export interface SealedDependencies {
  readonly dependencies: CloudDependencies;
  readonly registry: string;
  readonly composePlugin: string;
}

interface Sources extends SealedDependencies {
  readonly folder: string;
  readonly provider: Provider;
}

/** Returns what answers for each host of the internet that a server needs. */
export async function hostsOf({
  folder,
  registry,
  composePlugin,
  provider,
  dependencies,
}: Sources) {
  const archive = new PackageProxy(await findDebianMirror(), dependencies.packageCache);
  const packages = answeredBy(archive.server());
  return {
    'deb.debian.org': packages,
    'security.debian.org': packages,
    'release.example.net': answeredBy(webServer(join(folder, 'dist'))),
    'registry-1.docker.io': `http://${registry}`,
    'ghcr.io': `http://${registry}`,
    'github.com': ((_asking, response) => response.end(readFileSync(composePlugin))) as Origin,
    'api.provider.example': new URL(provider.baseUrl).origin,
  } as const;
}

/** Origins without TLS, for mirrors and relays. */
export type Near = Readonly<Record<'release' | 'registry' | 'plugin' | 'provider', string>>;

/** Serves the same origins where servers may reach them without a proxy. */
export async function nearOf(
  cloud: Cloud,
  hosts: Awaited<ReturnType<typeof hostsOf>>,
): Promise<Near> {
  const serve = async (origin: Origin) =>
    typeof origin === 'string'
      ? `http://${await cloud.forward(new URL(origin).host)}`
      : await cloud.serve(createServer(origin));
  return {
    release: await serve(hosts['release.example.net']),
    registry: await serve(hosts['registry-1.docker.io']),
    plugin: await serve(hosts['github.com']),
    provider: await serve(hosts['api.provider.example']),
  };
}
