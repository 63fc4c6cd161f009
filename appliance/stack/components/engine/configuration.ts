import { trustBundle } from '../../../certificates/trust.ts';
import { goRouteEnvironment } from '../../../host/download/route-environment.ts';
import { listedName } from '../../local-models.ts';
import { contextOf, promptCacheOf } from '../../model-memory.ts';
import { envFile, plainFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders Ollama's proxy variables and, if the site has a CA, its certificate authorities. The variables
 * are in a file and not in the environment, because the URL of a proxy may contain its password.
 */
export function renderEngine({ site }: StackInput): RenderedFile[] {
  const { HTTPS_PROXY, NO_PROXY } = goRouteEnvironment(site, 'container');
  // Pulls use TLS only, and HTTP_PROXY breaks the `ollama` command.
  const variables = HTTPS_PROXY ? { HTTPS_PROXY, NO_PROXY: NO_PROXY ?? '' } : {};
  const bundle = trustBundle(site);
  return [
    secretFile('engine/secrets.env', envFile(variables), 'engine'),
    ...(bundle ? [plainFile('engine/ca.pem', bundle)] : []),
  ];
}

const MiB = 1024 ** 2;

/** Returns Ollama's variables of `compose.yaml`. */
export function engineVariables({ site, server, models }: StackInput): Record<string, string> {
  const installed = models?.models ?? [];
  return {
    OLLAMA_KEEP_ALIVE: site.variables.OLLAMA_KEEP_ALIVE ?? '24h',
    OLLAMA_CONTEXT_LENGTH: `${contextOf(installed, server)}`,
    ENGINE_PROMPT_CACHE: `${Math.floor(promptCacheOf(installed, server) / MiB)}`,
    ENGINE_PRELOAD: models?.chat ? listedName(models.chat) : '',
    ...(site.engine_node ? { OLLAMA_NUM_PARALLEL: `${site.engine_node.slots}` } : {}),
  };
}
