import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { composeFolder, gatewayConfigurationFile } from '#contract/bundle/bundle-paths.ts';
import { serviceNames } from '#contract/component-names.ts';
import { stackFolder } from '#contract/server-paths.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { isMissing } from '#files/open-regular.ts';
import { storedMembership } from '../../nodes/swarm/membership.ts';
import { hasTrustedCertificate } from '../../server/certificates/trust.ts';
import { isFile, makeFolder, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { hasIpv6 } from '../../server/host/outside/ipv6.ts';
import { passOf } from '../../server/records/transaction.ts';
import type { Context } from '../../server/stage/stage.ts';
import { readSecrets } from '../secrets/secret-values.ts';
import { uiSecretsFile } from './components/ui/configuration.ts';
import { findGpu, supportsStartInterval, usableCpus } from './docker-abilities.ts';
import { readProviderModels } from './provider-models.ts';
import { renderStack } from './render-stack.ts';
import type { RenderedFile } from './rendered-file.ts';
import type { Ipv6 } from './stack-input.ts';

/** A folder with rendered files only. Other files in it are stale and are removed. */
const ownFolder = 'gateway/conf.d';

/** Returns the files whose content or mode differs on the server. */
export async function outdatedFiles(
  host: Host,
  files: readonly RenderedFile[],
): Promise<RenderedFile[]> {
  const fresh = await Promise.all(
    files.map(({ path, content, mode }) =>
      isFile(host, join(stackFolder, path), content, { mode }),
    ),
  );
  return files.filter((_, index) => !fresh[index]);
}

/** Writes the outdated files of the stack and removes stale ones. */
export async function writeStack(host: Host, files: readonly RenderedFile[]): Promise<void> {
  await makeFolder(host, stackFolder);
  for (const { path, content, mode, owner } of await outdatedFiles(host, files)) {
    await makeFolder(host, join(stackFolder, dirname(path)));
    await writeText(host, join(stackFolder, path), content, { mode, uid: owner });
  }
  for (const path of await strayFiles(host, files)) {
    await rm(host.path(stackFolder, path), { recursive: true });
  }
}

/** Returns files of other programs in the folder of rendered files: nginx reads them too. */
export async function strayFiles(host: Host, files: readonly RenderedFile[]): Promise<string[]> {
  const ours = new Set(files.map(({ path }) => path));
  const names = await host.namesIn(join(stackFolder, ownFolder));
  return names.map((name) => join(ownFolder, name)).filter((path) => !ours.has(path));
}

/** Removes the files of components that the site no longer has: they contain secrets. */
export async function removeStale(host: Host, files: readonly RenderedFile[]): Promise<void> {
  const ours = new Set(files.map(({ path }) => dirname(path)));
  for (const name of serviceNames.filter((each) => !ours.has(each))) {
    await removeFile(host, join(stackFolder, name, 'secrets.env'));
  }
}

/**
 * Renders every file of the stack for the current state of this server.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export async function renderForServer({
  host,
  site,
  server,
  release,
  releaseFolder,
}: Context): Promise<RenderedFile[]> {
  const own = await serverAddresses(host);
  const { v4, v6 } = own;
  // Behind NAT, browsers use an address that no interface has.
  const known = (await publicAddress(host, own)) ?? [];
  return renderStack({
    site,
    version: release.version,
    images: release.images,
    gatewayConfiguration: await readGatewayConfiguration(releaseFolder),
    models: localModels(release, site, server),
    releaseModels: release.models,
    providerModels: await readProviderModels(host, site),
    secrets: await readSecrets(host, site),
    server: {
      memory: server.memory,
      cpus: await usableCpus(host, server.cpus),
      addresses: [...new Set([known, v4, v6].flat())],
      gpu: await findGpu(host),
      ipv6: await ipv6Of(host, own),
      startInterval: await supportsStartInterval(host),
      joined: isEngineNode(site) && (await storedMembership.read(host)) !== undefined,
    },
    trustedCertificate: await hasTrustedCertificate(host),
    pass: await passOf(host),
  });
}

async function ipv6Of(
  host: Host,
  { v4, v6 }: Awaited<ReturnType<typeof serverAddresses>>,
): Promise<Ipv6> {
  if (!(await hasIpv6(host))) return 'none';
  if (v6.length === 0) return 'local';
  return v4.length > 0 ? 'reachable' : 'only';
}

async function readGatewayConfiguration(releaseFolder: string): Promise<string | undefined> {
  try {
    return await readFile(join(releaseFolder, composeFolder, gatewayConfigurationFile), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes the secrets of the chat UI after its administrator has another password, which needs no restart.
 * @throws LandfallError STATE_INVALID
 */
export async function writeUiSecrets(context: Context): Promise<void> {
  const files = await renderForServer(context);
  const own = files.filter(({ path }) => path === uiSecretsFile);
  for (const { path, content, mode, owner } of own) {
    await writeText(context.host, join(stackFolder, path), content, { mode, uid: owner });
  }
}

/**
 * Writes the gateway's server blocks, which depend on the installed certificate. The gateway reads them
 * at its next reload.
 * @throws LandfallError STATE_INVALID
 */
export async function writeGateway(context: Context): Promise<void> {
  const files = await renderForServer(context);
  await writeStack(
    context.host,
    files.filter(({ path }) => path.startsWith(`${ownFolder}/`)),
  );
}
