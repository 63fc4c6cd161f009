import { listedName } from '#contract/sizes/local-models.ts';
import { contextOf, promptCacheOf } from '#contract/sizes/model-memory.ts';
import { trustBundle } from '../../../../server/certificates/trust.ts';
import { goRouteEnvironment } from '../../../../server/host/download/route-environment.ts';
import { envFile, plainFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders Ollama's proxy variables and, if the site has a CA, its certificate authorities. The variables
 * are in a file and not in the environment, because the URL of a proxy may contain its password.
 */
export function renderEngine(input: StackInput): RenderedFile[] {
  const { site } = input;
  const { HTTPS_PROXY, NO_PROXY } = goRouteEnvironment(site, 'container');
  // Pulls use TLS only, and HTTP_PROXY breaks the `ollama` command.
  const variables = HTTPS_PROXY ? { HTTPS_PROXY, NO_PROXY: NO_PROXY ?? '' } : {};
  const bundle = trustBundle(site);
  return [
    secretFile('engine/secrets.env', envFile({ ...variables, ...ownVariables(input) }), 'engine'),
    ...(bundle ? [plainFile('engine/ca.pem', bundle)] : []),
  ];
}

/**
 * Returns the variables of a node of a Swarm that depend on its size: the service has the same
 * environment on all nodes, and reads this file afterwards.
 */
function ownVariables(input: StackInput): Record<string, string> {
  if (!input.server.joined) return {};
  const { OLLAMA_CONTEXT_LENGTH, OLLAMA_KV_CACHE_TYPE, OLLAMA_FLASH_ATTENTION, ...others } =
    engineVariables(input);
  const { ENGINE_PROMPT_CACHE, ENGINE_PRELOAD } = others;
  return {
    OLLAMA_CONTEXT_LENGTH: OLLAMA_CONTEXT_LENGTH ?? '',
    ...(OLLAMA_KV_CACHE_TYPE && OLLAMA_FLASH_ATTENTION
      ? { OLLAMA_KV_CACHE_TYPE, OLLAMA_FLASH_ATTENTION }
      : {}),
    LLAMA_ARG_CACHE_RAM: ENGINE_PROMPT_CACHE ?? '',
    PRELOADED_MODEL: ENGINE_PRELOAD ?? '',
    ...(input.site.ca === undefined ? {} : { SSL_CERT_FILE: '/run/landfall/ca.pem' }),
  };
}

const MiB = 1024 ** 2;

/** Returns Ollama's variables of `compose.yaml`. */
export function engineVariables({ site, server, models }: StackInput): Record<string, string> {
  const installed = models?.models ?? [];
  return {
    OLLAMA_KEEP_ALIVE: site.variables.OLLAMA_KEEP_ALIVE ?? '24h',
    OLLAMA_CONTEXT_LENGTH: `${contextOf(installed, server, site)}`,
    ENGINE_PROMPT_CACHE: `${Math.floor(promptCacheOf(installed, server, site) / MiB)}`,
    ...(site.context_cache
      ? { OLLAMA_KV_CACHE_TYPE: site.context_cache, OLLAMA_FLASH_ATTENTION: '1' }
      : {}),
    ENGINE_PRELOAD: models?.chat ? listedName(models.chat) : '',
    ...(site.engine_node ? { OLLAMA_NUM_PARALLEL: `${site.engine_node.slots}` } : {}),
  };
}
