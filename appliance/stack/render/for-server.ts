import { hasTrustedCertificate } from '../../certificates/browser-trust.ts';
import { serverAddresses } from '../../host/outside/addresses.ts';
import { readSecrets } from '../../secrets/secret-values.ts';
import type { Context } from '../../stage/stage.ts';
import { findGpu } from '../find-gpu.ts';
import { localModels } from '../local-models.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { supportsStartInterval } from '../start-interval.ts';
import { usableCpus } from '../usable-cpus.ts';
import { renderStack } from './stack.ts';

/**
 * Renders every file of the stack for the current state of this server.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export async function renderForServer({
  host,
  site,
  server,
  release,
}: Context): Promise<RenderedFile[]> {
  const { v4, v6 } = await serverAddresses(host);
  return renderStack({
    site,
    release: release.version,
    models: localModels(release, site, server),
    secrets: await readSecrets(host, site),
    server: {
      memory: server.memory,
      cpus: await usableCpus(host, server.cpus),
      addresses: [...v4, ...v6],
      gpu: await findGpu(host),
      ipv6: v6.length > 0,
      startInterval: await supportsStartInterval(host),
    },
    trustedCertificate: await hasTrustedCertificate(host),
  });
}
