/** One entry of apt's sources (sources.list(5)). */
export interface AptSource {
  readonly url: string;
  readonly suites: readonly string[];
  readonly components: readonly string[];
}

/** Parses a file of apt's sources in either of its two formats; unknown fields are ignored. */
export function parseSources(name: string, text: string): AptSource[] {
  return name.endsWith('.sources') ? parseStanzas(text) : parseLines(text);
}

/** deb822: stanzas of `Field: value`; indented lines continue a value. */
function parseStanzas(text: string): AptSource[] {
  const bare = text.replace(/^#.*\n?/gm, '').replace(/\n[ \t]+/g, ' ');
  return bare.split(/\n\s*\n/).flatMap((stanza) => {
    const words = (field: string) =>
      (new RegExp(`^${field}:(.*)$`, 'im').exec(stanza)?.[1] ?? '').split(/\s+/).filter(Boolean);
    if (!words('Types').includes('deb') || words('Enabled')[0] === 'no') return [];
    return words('URIs').map((url) => ({
      url,
      suites: words('Suites'),
      components: words('Components'),
    }));
  });
}

/** One line each: `deb [options] url suite components`. */
function parseLines(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const entry = /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    const [, url, suite, components] = entry ?? [];
    if (!url || !suite) return [];
    return [{ url, suites: [suite], components: (components ?? '').split(/\s+/).filter(Boolean) }];
  });
}
