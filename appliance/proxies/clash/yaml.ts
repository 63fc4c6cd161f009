import { LandfallError } from '#contract/errors.ts';
import { withoutUnseen } from '#yaml/decode-text.ts';
import { parseYaml, parseYamlText, type YamlFile } from '#yaml/parse.ts';
import type { Path, Report, Source } from '../source/report.ts';
import { SplitYaml } from './split-yaml.ts';

/** Maximum length of a text that is parsed as a whole, in characters. It can take 200 MB. */
const maxTextLength = 1 << 18;

const options = { asText: true, maxAliases: 5000 } as const;

/**
 * Parses YAML of Clash or mihomo. Unless the import is strict, it reads the first document only, as
 * mihomo does, and damage is confined to its entry: if the text as a whole is not valid, or is long,
 * its entries are parsed one by one.
 * @throws LandfallError CONFIG_ENCODING, CONFIG_SYNTAX
 */
export function parseClash(text: string, file: string, report: Report): Source {
  if (report.strict && text.length <= maxTextLength) {
    const bytes = new TextEncoder().encode(text);
    return sourceOf(parseYaml(bytes, file, { ...options, maxBytes: bytes.length }));
  }
  const document = report.strict ? text : withoutUnseen(firstDocument(text, report));
  let cause: unknown;
  if (document.length <= maxTextLength) {
    try {
      return sourceOf(parseYamlText(document, file, { ...options, allowsHidden: true }));
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      cause = error;
    }
  }
  const source = new SplitYaml(document, report);
  if (source.value.proxies !== undefined) return source;
  throw (
    cause ??
    new LandfallError('CONFIG_INVALID', `${file}: no proxies found`, {
      hint: 'Use YAML of mihomo with `proxies`, one entry per line.',
    })
  );
}

function sourceOf(yaml: YamlFile): Source {
  return { value: yaml.value, positionOf: (at: Path) => yaml.locateKey(at) };
}

/** Returns the text up to the second document, and notes that one. */
function firstDocument(text: string, report: Report): string {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
  let hasContent = false;
  let from = 0;
  for (const { index } of text.matchAll(marker)) {
    hasContent ||= /^[^\s#%]/m.test(text.slice(from, index));
    from = index + 3;
    if (!hasContent) continue;
    if (/^[^\s#]/m.test(text.slice(from).replace(marker, ''))) {
      const line = text.slice(0, index).split(/\r\n|\n|\r/).length;
      report.note({ line }, 'a second document: not imported');
    }
    return text.slice(0, index);
  }
  return text;
}
