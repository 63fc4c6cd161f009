import type { Site } from '#contract/site/site.ts';
import { otherThan } from './other-than.ts';

/** Where a proxy for AI tools has business when a site does not say. */
export const wellKnownDomains = [
  '*.anthropic.com',
  '*.claude.ai',
  '*.deepseek.com',
  '*.googleapis.com',
  '*.groq.com',
  '*.hf.co',
  '*.huggingface.co',
  '*.mistral.ai',
  '*.ollama.ai',
  '*.ollama.com',
  // Where the engine's registry keeps its layers.
  '*.r2.cloudflarestorage.com',
  '*.openai.com',
  '*.openrouter.ai',
  '*.x.ai',
  '*.github.com',
  '*.githubusercontent.com',
  '*.npmjs.org',
  '*.pypi.org',
  '*.pythonhosted.org',
] as const;

/** The ports of CONNECT. */
export const connectPorts = [443, 563] as const;

/**
 * Last labels of names that mean this machine or its network. A public name that resolves to a
 * private address passes here; the firewall holds it back, as no container may go there.
 */
const privateLabels = [
  ...['arpa', 'corp', 'home', 'internal', 'intranet'],
  ...['lan', 'local', 'localdomain', 'localhost'],
];

/**
 * What is allowed, one pattern a line (POSIX extended, matched against the whole URL): tinyproxy gets
 * `host:port` with CONNECT, and `http://host:port/path` with every other method. The pattern leaves
 * nothing of the part before the path to chance, so that it and tinyproxy read the same host and port
 * there.
 */
export function renderFilter({ tinyproxy, providers }: Site): string {
  if (tinyproxy.domains === 'any') return anyPublicName;
  const named = tinyproxy.domains ?? wellKnownDomains;
  const own = Object.values(providers).map(({ base_url }) => new URL(base_url).hostname);
  const hosts = own.filter((host) => !/^[\d.]+$|:/.test(host));
  return [...new Set([...named, ...hosts])].map((domain) => line(nameOf(domain))).join('');
}

/**
 * Names of two labels or more. The last one has letters alone, so it is no part of an address, however
 * that is written, and no `_`, so it is no network of Docker. Several lines, because tinyproxy cuts
 * them after 511 bytes.
 */
const anyPublicName = [
  `# Every name with a dot whose last label is none of ${privateLabels.join(', ')}.\n`,
  ...['xn--[a-z0-9-]+', ...otherThan(privateLabels)].map((label) =>
    line(`([a-z0-9_-]+\\.)+${label}\\.?`),
  ),
].join('');

function nameOf(domain: string): string {
  const below = domain.startsWith('*.');
  const name = (below ? domain.slice(2) : domain).replaceAll('.', '\\.');
  return below ? `([a-z0-9_-]+\\.)*${name}` : name;
}

function line(name: string): string {
  return `^(http://)?${name}(:(80|${connectPorts.join('|')}))?(/|$)\n`;
}
