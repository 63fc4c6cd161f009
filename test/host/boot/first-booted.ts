import { join } from 'node:path';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import type { CloudDependencies } from '../network/cloud.ts';
import { Premises } from './premises.ts';

/** Host name of the chat UI on these servers, and its URL. */
export const chatName = 'chat.example.com';
export const chatUrl = `https://${chatName}/`;

/** Options of {@link openPremises}, as `hostNeeds` returns them. */
export interface PremisesDependencies {
  readonly dependencies: CloudDependencies;
  readonly registry: string;
  readonly composePlugin: string;
}

/**
 * Boots a fresh server that installs itself with the chat UI and its own TLS certificate.
 * @param maxPartSize maximum size of a file of the bundle; default: one file
 */
export async function openPremises(
  { dependencies, registry, composePlugin }: PremisesDependencies,
  distribution: HostDistribution,
  maxPartSize?: string,
): Promise<Premises> {
  return await Premises.open({
    ...{ dependencies, distribution, registry, plugin: composePlugin, maxPartSize },
    folder: join(await workFolder(), 'bundle'),
    site: { hosts: { ui: chatName }, tls: { mode: 'internal' } },
  });
}

/** Boots such a server and waits until its first boot has finished. */
export async function firstBooted(
  dependencies: PremisesDependencies,
  distribution: HostDistribution,
): Promise<Premises> {
  const premises = await openPremises(dependencies, distribution);
  try {
    await premises.comeUp();
  } catch (error) {
    await premises.close();
    throw error;
  }
  return premises;
}

/** Waits until the chat UI responds on the server itself. */
export async function waitForChat({ host }: Premises): Promise<void> {
  const here = `--resolve ${chatName}:443:127.0.0.1`;
  await host.waitFor(`curl -skf -o /dev/null ${here} ${chatUrl}`, 180);
}
