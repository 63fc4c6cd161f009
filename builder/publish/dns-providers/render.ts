/** A provider as lego describes it in `providers/dns/<name>/<name>.toml`. */
interface LegoProvider {
  readonly names: readonly string[];
  readonly variables: readonly string[];
}

/** They run a program, or ask a person. */
const unusable = ['exec', 'manual'];
/** Variables that name a file, which the container does not have, or whose default is right. */
const useless = /_(?:FILE|PATH|POLLING_INTERVAL|SEQUENCE_INTERVAL|TTL|HTTP_TIMEOUT)$/;

/** Reads the description of a provider: its names, and the variables of its credentials and settings. */
export function readProvider(toml: string): LegoProvider {
  const [, code = ''] = /^Code = "([\w-]+)"$/m.exec(toml) ?? [];
  const [, aliases = ''] = /^Aliases = \[(.*)\]$/m.exec(toml) ?? [];
  const settings = toml.slice(toml.indexOf('[Configuration]')).split(/^\[Links\]$/m)[0] ?? '';
  const variables = [...settings.matchAll(/^ +([A-Z][A-Z0-9_]*) = /gm)].map(
    ([, name = '']) => name,
  );
  return {
    names: [code, ...[...aliases.matchAll(/"([\w-]+)"/g)].map(([, name = '']) => name)],
    variables: variables.filter((name) => !useless.test(name)),
  };
}

/**
 * Renders the table of the providers, for `site/certificates/dns-providers.ts`: each with its names, and the
 * variables without the prefix that they have in common.
 * @param version of lego, such as `v5.6.0`
 */
export function renderProviders(version: string, tomls: readonly string[]): string {
  const lines = tomls
    .map(readProvider)
    .filter(({ names: [code = ''] }) => !unusable.includes(code))
    .map(({ names, variables }) => {
      const prefix = commonPrefix(variables);
      const rest = variables.map((name) => name.slice(prefix.length));
      return `${names.join('|')} ${prefix}: ${rest.join(' ')};`;
    })
    .sort();
  const rows: string[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + line.length < 108) {
      rows[rows.length - 1] = `${last} ${line}`;
    } else rows.push(line);
  }
  return [
    '// Written by `npm run dns-providers` from the descriptions of lego. Do not edit.',
    '',
    '/** The version of lego that has these providers. */',
    `export const legoVersion = '${version}';`,
    '',
    '/** Per provider its names, the prefix of its variables, and the variables without the prefix. */',
    'export const providerTable = `',
    ...rows,
    '`;',
    '',
  ].join('\n');
}

/** Returns the longest common start of words that ends with `_`; empty for one word. */
function commonPrefix(words: readonly string[]): string {
  const [first = '', ...others] = words;
  if (others.length === 0) return '';
  const parts = first.split('_');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const prefix = `${parts.slice(0, length).join('_')}_`;
    if (others.every((word) => word.startsWith(prefix))) return prefix;
  }
  return '';
}
