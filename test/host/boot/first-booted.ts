import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import type { Cloud, CloudDependencies } from '../network/cloud.ts';
import { HostBundle } from './host-bundle.ts';
import { Premises, type SiteParts } from './premises.ts';

/** Host name of the chat UI on these servers, and its URL. */
export const chatName = 'chat.example.com';
export const chatUrl = `https://${chatName}/`;

/** Settings of their site. */
export const chatSite = { hosts: { ui: chatName }, tls: { mode: 'internal' } };

/** Options of {@link openPremises}, as `hostNeeds` returns them. */
export interface PremisesDependencies {
  readonly dependencies: CloudDependencies;
  readonly serverBundle: string;
}

/**
 * Boots a fresh server that installs itself with the chat UI and its own TLS certificate.
 * @param prepare starts other machines of the cloud, and returns more settings of the site
 */
export async function openPremises(
  { dependencies, serverBundle }: PremisesDependencies,
  distribution: HostDistribution,
  prepare?: (cloud: Cloud) => Promise<SiteParts>,
): Promise<Premises> {
  return await Premises.open({
    ...{ dependencies, distribution },
    bundle: await HostBundle.copy(serverBundle, await workFolder()),
    site: async (cloud) => ({ ...chatSite, ...(await prepare?.(cloud)) }),
  });
}

/** Boots such a server and waits until its first boot has finished. */
export async function firstBooted(
  dependencies: PremisesDependencies,
  distribution: HostDistribution,
  prepare?: (cloud: Cloud) => Promise<SiteParts>,
): Promise<Premises> {
  const premises = await openPremises(dependencies, distribution, prepare);
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
