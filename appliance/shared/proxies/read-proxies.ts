import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { decodeText, withoutUnseen } from '#yaml/decode-text.ts';
import { parseYamlText, type YamlFile } from '#yaml/parse.ts';
import { readClash } from './clash/read.ts';
import { SplitYaml } from './clash/split-yaml.ts';
import { readLinks } from './links.ts';
import { limits, type Parts, type ProxySettings } from './model/settings.ts';
import { refuseOtherText, refuseOtherValue } from './other-formats.ts';
import { fromBase64Text } from './protocols/link.ts';
import { readSingBox } from './sing-box/read.ts';
import { isSip008, readSip008 } from './sip008.ts';
import { assemble } from './source/assemble.ts';
import { isMap } from './source/fields.ts';
import { parseJson } from './source/json.ts';
import { type Path, Report, type Source } from './source/report.ts';

type Format = 'links' | 'base64' | 'mihomo' | 'sing-box' | 'sip008';

/** What an import found. */
export interface Imported {
  readonly format: Format;
  readonly settings: ProxySettings;
  /** What was left out or ignored. */
  readonly report: Report;
}

interface ReadOptions {
  /** Name of the source in problems. */
  readonly file: string;
  /** Fails at any problem instead of leaving out entries. */
  readonly strict?: boolean | undefined;
  /** Time at which reading stops, in milliseconds since 1970. */
  readonly deadline?: number | undefined;
}

/**
 * Reads proxies: links, a list of links in base64, YAML of Clash or mihomo, or JSON of sing-box or SIP008.
 * The content determines the format. Entries that cannot be imported are left out.
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, CONFIG_INVALID if no proxy
 * can be imported, or with all problems if the import is strict. No message contains a value that
 * could be a secret.
 */
export function readProxies(bytes: Uint8Array, { file, ...options }: ReadOptions): Imported {
  const text = decodeProxies(bytes, file);
  const decoded = /:|[{<]/.test(text) ? undefined : fromBase64Text(text);
  const name = decoded === undefined ? file : `${file} (decoded)`;
  const report = new Report(name, options);
  const { format, parts } = readText(decoded ?? text, name, report);
  const settings = assemble(parts, report);
  if (settings)
    return { format: decoded && format === 'links' ? 'base64' : format, settings, report };
  const error = report.error(inLanguage(report.strict ? hints.strict : hints.none));
  if (error) throw error;
  throw parts.proxies.length > 0
    ? new LandfallError('CONFIG_INVALID', `${name}: only information of the provider`, {
        hint: inLanguage(hints.information),
      })
    : noProxies(name, `${formats} with at least one proxy`);
}

function readText(text: string, file: string, report: Report): { format: Format; parts: Parts } {
  const syntax = syntaxOf(text);
  if (syntax === 'page') {
    throw new LandfallError('CONFIG_INVALID', `${file} is a web page`, {
      hint: {
        en: 'Check the URL; the page may be a login page or a block page.',
        zh: '检查地址；这可能是登录页或拦截页。',
      },
    });
  }
  if (syntax === 'links') return { format: 'links', parts: readLinks(text, report) };
  if (syntax === 'ini' || (syntax === 'yaml' && !clashList.test(text))) refuseOtherText(text, file);
  const source =
    syntax === 'json'
      ? parseJson(text, file)
      : syntax === 'yaml'
        ? parseClash(text, file, report)
        : undefined;
  refuseOtherValue(source?.value, file);
  if (source && syntax === 'json' && isSip008(source.value))
    return { format: 'sip008', parts: readSip008(source, report) };
  const keys = Object.keys(isMap(source?.value) ? source.value : {});
  if (source && keys.includes('outbounds'))
    return { format: 'sing-box', parts: readSingBox(source, report) };
  if (source && keys.some((key) => clashKeys.includes(key)))
    return { format: 'mihomo', parts: readClash(source, report) };
  throw noProxies(
    file,
    'links, YAML of mihomo with `proxies`, JSON of sing-box with `outbounds`, or SIP008',
  );
}

const formats = 'links, YAML of mihomo or JSON of sing-box';

const hints = {
  strict: {
    en: 'Fix these lines, or leave these entries out by importing without --strict.',
    zh: '请修改这些行，或不加 --strict 导入，跳过这些条目。',
  },
  none: {
    en: 'No proxy can be imported. Use another file or subscription.',
    zh: '没有可以导入的节点，请使用其他文件或订阅。',
  },
  information: {
    en: 'Check the account: its traffic may be used up, or it has expired.',
    zh: '只有代理服务商的信息，没有节点：请检查流量是否用完、套餐是否到期。',
  },
} as const;

function noProxies(file: string, formats: string): LandfallError {
  const hint = `Use ${formats}.`;
  return new LandfallError('CONFIG_INVALID', `${file}: no proxies found`, { hint });
}

/** Sections of Clash, also of files without `proxies`, so that their problems are named. */
const clashKeys = ['proxies', 'proxy-groups', 'proxy-providers', 'rules', 'Proxy', 'Rule'];

const clashList = /^["']?prox(?:ies|y-providers)["']?\s*:/m;

/** Decodes UTF-8 without a byte order mark. */
function decodeProxies(bytes: Uint8Array, file: string): string {
  if (bytes.byteLength > limits.bytes) {
    throw new LandfallError('CONFIG_TOO_LARGE', `${file} is larger than ${limits.bytes} bytes`, {
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

/** How a text is written. `ini` is the syntax of Surge and WireGuard. */
type Syntax = 'links' | 'json' | 'yaml' | 'ini' | 'page';

/** Returns how a text is written. Whether it has proxies is decided later. */
function syntaxOf(text: string): Syntax {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'page';
  if (isLinks(start)) return 'links';
  // Flow style of YAML has keys without quotes.
  const body = start.replace(/^(?:#.*\s*)+/, '');
  if (/^(?:\{\s*(?:["}#]|\/[/*])|\[\s*[{\]]|\/[/*])/.test(body)) return 'json';
  return /^\[[\w ]+\]\s*$/.test(firstLine(start)) ? 'ini' : 'yaml';
}

/** Returns whether a text is a list of links. Other text before the first link is reported later. */
function isLinks(start: string): boolean {
  if (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(firstLine(start))) return true;
  if (/^(?:STATUS|REMARKS)=/.test(start)) return true;
  const hasLink = /^[ \t]*(?:ss|vmess|vless|trojan|anytls|hysteria2?|hy2|tuic):\/\//im.test(start);
  return hasLink && !/^[ \t]*(?:[{[]|"?(?:proxies|outbounds)"?\s*:)/m.test(start);
}

function firstLine(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.find((line) => line !== '' && !/^\s*(?:#|\/\/|;)/.test(line)) ?? '';
}

/** Maximum length of a text that is parsed as a whole, in characters. It can take 200 MB. */
const maxTextLength = 1 << 18;

/**
 * Parses YAML of Clash or mihomo. Unless the import is strict, it reads the first document only, as
 * mihomo does, and damage is confined to its entry: if the text as a whole is not valid, or is long,
 * its entries are parsed one by one.
 * @throws LandfallError CONFIG_ENCODING, CONFIG_SYNTAX
 */
function parseClash(text: string, file: string, report: Report): Source {
  if (report.strict && text.length <= maxTextLength) {
    const bytes = new TextEncoder().encode(text);
    return sourceOf(parseYamlText(decodeText(bytes, file), file, { asText: true }));
  }
  const document = report.strict ? text : withoutUnseen(firstDocument(text, report));
  let cause: unknown;
  if (document.length <= maxTextLength) {
    try {
      return sourceOf(parseYamlText(document, file, { asText: true, allowsHidden: true }));
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      cause = error;
    }
  }
  const source = new SplitYaml(document, report);
  if (source.value.proxies !== undefined || 'proxy-providers' in source.value) return source;
  throw cause ?? noProxies(file, 'YAML of mihomo with `proxies`, one entry per line');
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
      report.note({ line }, 'second-document');
    }
    return text.slice(0, index);
  }
  return text;
}
