import { type Draft, finishProxy } from '../model/draft.ts';
import type { ProxyEntry } from '../model/proxy.ts';
import { most } from '../model/settings.ts';
import type { Fields } from '../source/fields.ts';
import { duplicateName, freeName } from '../source/names.ts';
import type { Located, Parts } from '../source/parts.ts';
import { quoted, type Report } from '../source/report.ts';
import type { Position } from '../source/source.ts';
import { fromBase64Text } from './base64-text.ts';
import { readHttp, readSocks } from './http.ts';
import { type Link, splitLink } from './parse-link.ts';
import { readHysteria, readHysteria2, readTuic } from './quic.ts';
import { readSs, splitSs } from './ss.ts';
import { readAnytls, readTrojan, readVless, readVmessUri } from './v2ray.ts';
import { readVmessJson, vmessJsonFields } from './vmess-json.ts';

const readers: Readonly<Record<string, (link: Link) => Draft | undefined>> = {
  ss: readSs,
  vless: readVless,
  vmess: readVmessUri,
  trojan: readTrojan,
  anytls: readAnytls,
  hysteria: readHysteria,
  hysteria2: readHysteria2,
  hy2: readHysteria2,
  tuic: readTuic,
  http: readHttp,
  https: readHttp,
  socks: readSocks,
  socks5: readSocks,
};
const allowed = `Allowed: ${Object.keys(readers).join(', ')}.`;

/** Maximum length of a link in characters. */
const longest = 16_384;

/** Reads a list of links, one per line. Empty lines and comments are allowed. */
export function readLinks(text: string, report: Report): Parts {
  const proxies: Located<ProxyEntry>[] = [];
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  const lines = text.split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const [content, position] = [raw.trim(), { line: index + 1 }];
    if (content === '' || /^(?:#|\/\/|;)/.test(content)) continue;
    if (/^(?:STATUS|REMARKS)=/.test(content)) {
      report.note(position, 'information of the provider: not imported');
      continue;
    }
    const proxy = readLink(content, position, report);
    if (proxy === undefined) continue;
    const number = numbers.get(proxy.name) ?? 1;
    const name = freeName(proxy.name, used, number);
    numbers.set(proxy.name, number + 1);
    if (name !== proxy.name) report.note(position, duplicateName);
    used.add(name);
    proxies.push({ entry: { ...proxy, name }, position });
    if (proxies.length < most.proxies) continue;
    const rest = lines.slice(index + 1).filter((line) => /^\s*\w[\w.+-]*:\/\//.test(line)).length;
    if (rest > 0)
      report.leaveOut('proxy', rest, { line: index + 2 }, `more than ${most.proxies} proxies`);
    break;
  }
  return { proxies, groups: [], rules: [], general: {}, failed: new Set() };
}

/** Reads one link; undefined after a reported problem. Messages never contain the link. */
function readLink(text: string, position: Position, report: Report): ProxyEntry | undefined {
  return report.entry('proxy', () => {
    if (text.length > longest) {
      return void report.problem(position, `the link has more than ${longest} characters`);
    }
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined) return void report.problem(position, 'is not a link', allowed);
    const json = scheme === 'vmess' && !text.includes('@') ? vmessBody(text) : undefined;
    if (json !== undefined) {
      const fields = vmessJsonFields(json, position, report);
      return fields && finished(fields, () => readVmessJson(fields));
    }
    const read = readers[scheme];
    if (read === undefined || !Object.hasOwn(readers, scheme)) {
      return void report.problem(position, `unknown type of link${quoted(scheme)}`, allowed);
    }
    const link =
      scheme === 'ss' ? splitSs(text, position, report) : splitLink(text, position, report);
    return link && finished(link.fields, () => read(link));
  });
}

/** Returns the decoded body of a link of v2rayN; empty if it is not base64. */
function vmessBody(text: string): string {
  const body = text.slice('vmess://'.length).replace(/[#?].*$/s, '');
  return fromBase64Text(body) ?? '';
}

function finished(fields: Fields, read: () => Draft | undefined): ProxyEntry | undefined {
  const draft = fields.report.attempt(() => {
    const found = read();
    if (found) fields.end();
    return found;
  });
  return draft && finishProxy(fields, draft);
}
