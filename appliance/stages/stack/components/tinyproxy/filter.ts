import type { Site } from '#contract/site/site.ts';

/**
 * Returns POSIX extended regular expressions that together match every lower-case word except these,
 * because POSIX has no negation. One expression per first letter of the words, and one for all other
 * first letters. Each expression branches by letter: it continues with the words that share the prefix,
 * or matches any rest.
 */
export function otherThan(words: readonly string[]): string[] {
  const letters = firstLetters(words);
  return [`${butFor(letters)}[a-z]*`, ...letters.map((letter) => beginning(letter, words))];
}

/** Returns the expression for words with this first letter. */
function beginning(letter: string, words: readonly string[]): string {
  const rests = words.filter((word) => word[0] === letter).map((word) => word.slice(1));
  const next = firstLetters(rests);
  if (next.length === 0) return `${letter}[a-z]+`;
  const known = next.map((each) => beginning(each, rests));
  const longer = `(${[`${butFor(next)}[a-z]*`, ...known].join('|')})`;
  // An excluded word that is complete here must be followed by another letter.
  return `${letter}${longer}${rests.includes('') ? '' : '?'}`;
}

function firstLetters(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => word[0] ?? []))].sort();
}

/** Returns a bracket expression for all letters except these: `[a-km-z]`. */
function butFor(letters: readonly string[]): string {
  const ranges = [...alphabet]
    .map((letter) => (letters.includes(letter) ? ' ' : letter))
    .join('')
    .match(/\S+/g);
  return `[${(ranges ?? []).map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run)).join('')}]`;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** Allowed domains of a site that does not set its own. */
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
  // Layers of Ollama's registry.
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

/** Allowed ports of CONNECT. */
export const connectPorts = [443, 563] as const;

/**
 * Last labels of names of this machine or its network. A public name that resolves to a private address
 * passes the filter, but the firewall blocks such addresses for containers.
 */
const privateLabels = [
  ...['arpa', 'corp', 'home', 'internal', 'intranet'],
  ...['lan', 'local', 'localdomain', 'localhost'],
];

/**
 * Renders the allowed destinations, one pattern per line (POSIX extended, matched against the whole
 * URL). tinyproxy matches `host:port` for CONNECT, and `http://host:port/path` for other methods. The
 * pattern matches everything before the path exactly, so that it agrees with tinyproxy on host and port.
 */
export function renderFilter({ tinyproxy, providers }: Site): string {
  if (tinyproxy.domains === 'any') return anyPublicName;
  const named = tinyproxy.domains ?? wellKnownDomains;
  const own = Object.values(providers).map(({ base_url }) => new URL(base_url).hostname);
  const hosts = own.filter((host) => !/^[\d.]+$|:/.test(host));
  return [...new Set([...named, ...hosts])].map((domain) => line(nameOf(domain))).join('');
}

/**
 * Names with two labels or more. The last label has letters only, so it cannot be an address in any
 * notation, and no `_`, so it cannot be a Docker network. Several lines, because tinyproxy truncates
 * lines after 511 bytes.
 */
const anyPublicName = [
  `# Every name with a dot, except for the last labels ${privateLabels.join(', ')}.\n`,
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
