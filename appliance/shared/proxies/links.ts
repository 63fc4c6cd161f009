import { limits, type Parts } from './model/settings.ts';
import { fromBase64Text, splitLink } from './protocols/link.ts';
import {
  type ProxyEntry,
  type ProxyType,
  protocols,
  proxyTypes,
  readEntry,
} from './protocols/registry.ts';
import { fromShadowrocket } from './protocols/shadowrocket.ts';
import { splitSs } from './protocols/ss.ts';
import { readVmessJson, vmessJsonFields } from './protocols/vmess.ts';
import { numberedNames } from './source/assemble.ts';
import type { Reason } from './source/reasons.ts';
import { type Position, quoted, type Report } from './source/report.ts';

/** The protocols by scheme, in the order of the hint: VLESS before VMess. */
const schemes = new Map<string, ProxyType>(
  (['ss', 'vless', ...proxyTypes] as const).flatMap((type) =>
    Object.keys(protocols[type].links).map((scheme) => [scheme, type] as const),
  ),
);
const allowed: Reason = `allowed ${[...schemes.keys()].join(', ')}`;

/** Maximum length of a link in characters. */
const maxLength = 16_384;

/** Where a link begins. Names contain the others, such as https. */
const beginnings = new RegExp(
  [...schemes.keys(), 'ssr']
    .filter((scheme) => !/^(?:https?|socks5?)$/.test(scheme))
    .toSorted((one, other) => other.length - one.length)
    .map((scheme) => `${scheme}://`)
    .join('|'),
  'gi',
);

/** Reads a list of links, one per line. Empty lines and comments are allowed. */
export function readLinks(text: string, report: Report): Parts {
  const lines = text.split(/\r\n|\n|\r/).flatMap((raw, index) => {
    const [content, position] = [raw.trim(), { line: index + 1 }];
    if (content === '' || /^(?:#|\/\/|;)/.test(content)) return [];
    if (!/^(?:STATUS|REMARKS)=/.test(content)) return separated(content, position, report);
    report.note(position, 'information');
    return [];
  });
  const list = { kind: 'proxy', max: limits.proxies, name: 'proxies' } as const;
  const found = report.list(lines, list, ({ content, position }) =>
    readLink(content, position, report),
  );
  return { proxies: found.map(numberedNames(report)), groups: [], rules: [], general: {} };
}

/** Returns the links of a line: copies lose line breaks. In a strict import, several are a problem. */
function separated(content: string, position: Position, report: Report) {
  const starts = [...content.matchAll(beginnings)].map(({ index }) => index);
  if (starts.length < 2 && !starts.some((start) => start > 0)) return [{ content, position }];
  report.flaw(position, 'several-links', 'own-line');
  if (report.strict) return [];
  return [...new Set([0, ...starts])].map((start, index, all) => ({
    content: content.slice(start, all[index + 1]).replace(/[\s,;|]+$/, ''),
    position,
  }));
}

/** Reads one link; undefined after a reported problem. Messages never contain the link. */
function readLink(line: string, position: Position, report: Report): ProxyEntry | undefined {
  return report.entry('proxy', () => {
    if (line.length > maxLength) {
      return void report.problem(position, `link-too-long ${maxLength}`);
    }
    const text = fromShadowrocket(line) ?? line;
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined) return void report.problem(position, 'no-link', allowed);
    const json = scheme === 'vmess' && !text.includes('@') ? vmessBody(text) : undefined;
    if (json !== undefined) {
      const fields = vmessJsonFields(json, position, report);
      return fields && readEntry(fields, 'vmess', () => readVmessJson(fields));
    }
    const type = schemes.get(scheme);
    const read = type && protocols[type].links[scheme];
    if (type === undefined || read === undefined) {
      return void report.problem(position, `unknown-link ${quoted(scheme)}`, allowed);
    }
    const link =
      scheme === 'ss' ? splitSs(text, position, report) : splitLink(text, position, report);
    return link && readEntry(link.fields, type, () => read(link));
  });
}

/** Returns the decoded body of a link of v2rayN; empty if it is not base64. */
function vmessBody(text: string): string {
  const body = text.slice('vmess://'.length).replace(/[#?].*$/s, '');
  return fromBase64Text(body) ?? '';
}
