import type { Site } from '#contract/site.ts';

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

/**
 * What is refused where everything else is allowed: addresses in any spelling, and names that mean
 * this machine, its network or a container beside the proxy. A public name that resolves to a
 * private address passes here; the firewall holds it back, as no container may go there.
 */
const refusedPlaces = [
  // 169.254.169.254, 10.0.0.1, 2852039166.
  '^[0-9.]+$',
  // 0xa9fea9fe, 0xa9.0376.1.
  '(^|\\.)0x[0-9a-f]*(\\.|$)',
  // [fd00:ec2::254].
  ':',
  // engine, relay, localhost.
  '^[^.]+$',
  '\\.(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa)\\.?$',
];

/**
 * One pattern a line (POSIX extended, matched against the host alone): with a list of domains what
 * is allowed, without one what is refused.
 */
export function renderFilter({ tinyproxy, providers }: Site): string {
  if (tinyproxy.domains === 'any') return lines(refusedPlaces);
  const named = tinyproxy.domains ?? wellKnownDomains;
  const own = Object.values(providers).map(({ base_url }) => new URL(base_url).hostname);
  const hosts = own.filter((host) => !/^[\d.]+$|:/.test(host));
  return lines([...new Set([...named, ...hosts])].map(pattern));
}

function pattern(domain: string): string {
  const below = domain.startsWith('*.');
  const name = (below ? domain.slice(2) : domain).replaceAll('.', '\\.');
  return below ? `^([a-z0-9_-]+\\.)*${name}$` : `^${name}$`;
}

function lines(patterns: readonly string[]): string {
  return patterns.map((each) => `${each}\n`).join('');
}
