import { engineEnvironment, routeEnvironment } from '../../host/download/route-environment.ts';
import { envFile } from '../env-file.ts';
import { type RenderedFile, secretFile, uids } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/**
 * How the engine and the certificate client reach the outside. A file and not an environment,
 * because the address of a proxy may hold its password.
 */
export function renderEgress({ site }: StackInput): {
  engine: RenderedFile[];
  acme: RenderedFile[];
} {
  const { HTTPS_PROXY, NO_PROXY } = engineEnvironment(site);
  // Pulls are all over TLS, and HTTP_PROXY would break the engine's own client.
  const engine = HTTPS_PROXY ? { HTTPS_PROXY, NO_PROXY: NO_PROXY ?? '' } : {};
  return {
    engine: [secretFile('engine/secrets.env', envFile(engine), uids.root)],
    acme: [secretFile('acme/secrets.env', envFile(routeEnvironment(site)), uids.root)],
  };
}
