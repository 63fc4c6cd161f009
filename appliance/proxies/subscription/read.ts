import type { Problem } from '#contract/errors.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseYaml } from '#yaml/parse.ts';
import { readClash } from '../clash/read.ts';
import { fromBase64Text } from '../links/base64-text.ts';
import { readLinks } from '../links/read.ts';
import { most, type Settings } from '../model/settings.ts';
import { readSingBox } from '../sing-box/read.ts';
import { assemble } from '../source/assemble.ts';
import { isMap } from '../source/fields.ts';
import { parseJson } from '../source/json.ts';
import type { Parts } from '../source/parts.ts';
import { byPosition, Report } from '../source/report.ts';
import type { Path, Source } from '../source/source.ts';
import { syntaxOf } from './syntax.ts';

type Format = 'links' | 'base64' | 'mihomo' | 'sing-box';

/** What an import found. */
export interface Imported {
  readonly format: Format;
  readonly settings: Settings;
  /** Settings that are not imported, with their lines. */
  readonly notes: readonly Problem[];
  /** Entries that were left out, with their lines; empty unless they are skipped. */
  readonly skipped: readonly Problem[];
}

/** How problems are handled. */
interface ReadOptions {
  /** Name of the source in problems. */
  readonly file: string;
  /** Leaves out entries with problems instead of failing. */
  readonly skip?: boolean | undefined;
}

/**
 * Reads proxies: links, a list of links in base64, YAML of Clash or mihomo, or JSON of sing-box. The
 * content determines the format.
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, CONFIG_INVALID with all
 * problems. No message contains a value that could be a secret.
 */
export function readProxies(bytes: Uint8Array, { file, skip = false }: ReadOptions): Imported {
  const text = decodeText(bytes, file);
  const decoded = /:|[{<]/.test(text) ? undefined : fromBase64Text(text);
  const name = decoded === undefined ? file : `${file} (decoded)`;
  const report = new Report(name);
  const { format, parts } = readText(decoded ?? text, name, report);
  const settings = assemble(parts, report, skip);
  const { problems } = report;
  if (settings !== undefined && (skip || problems.length === 0)) {
    return {
      format: decoded && format === 'links' ? 'base64' : format,
      settings,
      notes: byPosition(report.notes),
      skipped: byPosition(problems),
    };
  }
  if (problems.length === 0) {
    throw new LandfallError('CONFIG_INVALID', `${name}: no proxies found`, {
      hint: 'Use links, YAML of mihomo or JSON of sing-box with at least one proxy.',
    });
  }
  const what = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw report.error(what, 'Fix these lines, or leave these entries out with --skip-unsupported.');
}

function readText(
  text: string,
  file: string,
  report: Report,
): { format: Exclude<Format, 'base64'>; parts: Parts } {
  const syntax = syntaxOf(text);
  if (syntax === 'page') {
    throw new LandfallError('CONFIG_INVALID', `${file} is a web page`, {
      hint: 'Check the URL; the page may be a login page or a block page.',
    });
  }
  if (syntax === 'links') return { format: 'links', parts: readLinks(text, report) };
  const source =
    syntax === 'json'
      ? parseJson(text, file)
      : syntax === 'yaml'
        ? yamlSource(text, file)
        : undefined;
  const keys = Object.keys(isMap(source?.value) ? source.value : {});
  if (source && keys.includes('outbounds'))
    return { format: 'sing-box', parts: readSingBox(source, report) };
  if (source && keys.some((key) => clashSections.includes(key)))
    return { format: 'mihomo', parts: readClash(source, report) };
  throw new LandfallError('CONFIG_INVALID', `${file}: no proxies found`, {
    hint: 'Use links, YAML of mihomo with `proxies`, or JSON of sing-box with `outbounds`.',
  });
}

/** Sections of Clash, also of files without `proxies`, so that their problems are named. */
const clashSections = ['proxies', 'proxy-groups', 'proxy-providers', 'rules', 'Proxy', 'Rule'];

function yamlSource(text: string, file: string): Source {
  const yaml = parseYaml(new TextEncoder().encode(text), file, {
    maxBytes: most.bytes + 4,
    asText: true,
    maxAliases: 5000,
  });
  return { value: yaml.value, positionOf: (at: Path) => yaml.locateKey(at) };
}

/** Decodes UTF-8 without a byte order mark. */
function decodeText(bytes: Uint8Array, file: string): string {
  if (bytes.byteLength > most.bytes) {
    throw new LandfallError('CONFIG_TOO_LARGE', `${file} is larger than ${most.bytes} bytes`, {
      hint: 'Check that this is the right file or URL.',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LandfallError('CONFIG_ENCODING', `${file} is not UTF-8 text`, {
      hint: 'Save it as "UTF-8" in your editor.',
    });
  }
}
