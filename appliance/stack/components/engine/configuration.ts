import { engineEnvironment } from '../../../host/download/route-environment.ts';
import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders how Ollama reaches the outside. A file and not an environment, because the address of a
 * proxy may hold its password.
 */
export function renderEngine({ site }: StackInput): RenderedFile[] {
  const { HTTPS_PROXY, NO_PROXY } = engineEnvironment(site);
  // Pulls are all over TLS, and HTTP_PROXY would break the engine's own client.
  const variables = HTTPS_PROXY ? { HTTPS_PROXY, NO_PROXY: NO_PROXY ?? '' } : {};
  return [secretFile('engine/secrets.env', envFile(variables), 'engine')];
}

/** Returns what `compose.yaml` takes for Ollama. */
export function engineVariables({ site }: StackInput): Record<string, string> {
  return { OLLAMA_KEEP_ALIVE: site.variables.OLLAMA_KEEP_ALIVE ?? '24h' };
}
