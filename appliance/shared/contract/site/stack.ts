import { z } from 'zod';
import { byComponent, portComponents } from '../component-names.ts';
import { components } from '../components.ts';
import { bareUrl, exemptHosts, exemptionsIn, network, proxyUrl } from './urls.ts';

/** The stack settings of a site: its proxy, its ports, its variables. */

/** A domain. A leading `*.` includes all its subdomains. */
const domain = z
  .string()
  .max(253)
  .regex(
    /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a domain in lower case, such as api.example.com or *.example.com',
  );

const username = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{0,32}$/, 'must be up to 32 letters, digits, dots, dashes or underscores');

export const tinyproxySettings = z
  .strictObject({
    username: username
      .optional()
      .describe('TINYPROXY_USERNAME; generated on the server when empty.'),
    allow: z
      .array(network)
      .max(64)
      .default([])
      .describe('TINYPROXY_ALLOW: addresses that may use the proxy. Empty: only SSH tunnels.'),
    domains: z
      .union([z.literal('any'), z.array(domain).max(256)])
      .optional()
      .describe('Domains that the proxy allows. Default: well-known AI services.'),
    open: z
      .literal('i-understand')
      .optional()
      .describe(
        'Disables user name and password. Every client that reaches the port can use the proxy.',
      ),
  })
  .default({ allow: [] })
  .describe('The HTTP proxy.');

export const uiSettings = z
  .strictObject({
    hosted_models: z
      .enum(['administrators', 'everyone'])
      .optional()
      .describe(
        'Who sees hosted models, which cost money. Default: everyone on a server without a local chat model, otherwise administrators.',
      ),
    function_calling: z
      .enum(['legacy', 'native'])
      .default('legacy')
      .describe(
        'How models call tools. With native, Open WebUI adds its built-in tools to every request: 6,000 tokens.',
      ),
  })
  .default({ function_calling: 'legacy' })
  .describe('The chat UI.');

export const port = z.int().min(1).max(65535);

export const stackPorts = z
  .strictObject(
    byComponent(portComponents, (name) =>
      port.default(components[name].port).describe(`Port of ${components[name].product}.`),
    ),
  )
  .default(byComponent(portComponents, (name): number => components[name].port))
  .describe('Ports on the loopback address of the server, for SSH tunnels.');

const noProxy = z
  .string()
  .max(4096)
  .refine(
    (text) => exemptHosts.safeParse(exemptionsIn(text)).success,
    'must be hosts, domains and ranges with commas, such as localhost,.example.com,10.0.0.0/8',
  );

/** A secret that is set on the server only. An empty line is allowed. */
const empty = z
  .literal('', 'must be empty: it is set on the server')
  .describe('A secret: empty here, and set on the server.');

/** Describes a variable by the setting that it stands for. */
function sameAs<Schema extends z.ZodType>(setting: string, schema: Schema): Schema {
  return schema.describe(`The same as ${setting}.`);
}

/** The variables of the specification (SPEC 2.2, 2.5), for users who already have them. */
export const stackVariables = z
  .strictObject({
    PROVIDER_API_KEY: empty,
    PROVIDER_BASE_URL: sameAs('providers.provider.base_url', bareUrl),
    PROVIDER_PROXY_URL: sameAs('providers.provider.base_url', bareUrl),
    SECOND_PROVIDER_API_KEY: empty,
    SECOND_PROVIDER_BASE_URL: sameAs('providers.second-provider.base_url', bareUrl),
    HTTP_PROXY: sameAs('route.url', proxyUrl),
    HTTPS_PROXY: sameAs('route.url', proxyUrl),
    NO_PROXY: sameAs('route.no_proxy', noProxy),
    http_proxy: sameAs('route.url', proxyUrl),
    https_proxy: sameAs('route.url', proxyUrl),
    no_proxy: sameAs('route.no_proxy', noProxy),
    TINYPROXY_USERNAME: sameAs('tinyproxy.username', username),
    TINYPROXY_PASSWORD: empty,
    TINYPROXY_ALLOW: sameAs('tinyproxy.allow with one entry', network),
    OLLAMA_HOST: z
      .literal('0.0.0.0', 'must be 0.0.0.0: Ollama is published on loopback only')
      .describe('The address in its container; the server publishes it on loopback only.'),
    OLLAMA_BASE_URL: z
      .literal(
        'http://engine:11434',
        'must be http://engine:11434, the endpoint of Ollama in the stack',
      )
      .describe('The endpoint of Ollama in the stack.'),
    OLLAMA_KEEP_ALIVE: z
      .string()
      .regex(/^-?\d+(?:\.\d+)?(?:ms|s|m|h)?$/, 'must be a duration such as 24h')
      .describe('How long Ollama keeps a model in memory.'),
    WEBUI_SECRET_KEY: empty,
  })
  .partial()
  .default({})
  .describe('Variables with the names of other guides, mapped to the settings above.');

/** Returns the next unused port, at least 1024, because lower ports need privileges. */
export function freePort(from: number, used: Iterable<number>): number {
  const taken = new Set(used);
  let port = Math.max(from, 1024);
  while (taken.has(port)) port = port === 65535 ? 1024 : port + 1;
  return port;
}
