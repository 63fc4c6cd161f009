import { siteSchema } from '#contract/site/site.ts';
import { inBoth, inLanguage, type Text } from '#contract/text/language.ts';
import { nameOf } from './field-name.ts';
import { secretLooks } from './secret-signs.ts';

/**
 * The fields whose invalid values are printed. They contain names, where users do not write secrets.
 * Values of other fields are never printed.
 */
const shownFields =
  /^(?:hosts\.[a-z]+|models\[\d+\](?:\.name)?|ports\.[a-z]+|admin\.email|firewall\.allow\[\d+\])$/;

/** Short, on one line, and without control characters. */
const showable = /^[\x21-\x7e](?:[\x20-\x7e]{0,78}[\x21-\x7e])?$/;

/** Returns the value of a field and advice; undefined if there is none, or the value may be secret. */
export function adviceOn(path: readonly PropertyKey[], value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  const ascii = asciiHost(path, text);
  if (ascii !== undefined) {
    return inLanguage({
      en: `In DNS, this name is ${ascii}: write that.`,
      zh: `这个域名在 DNS 中是 ${ascii}：请写它。`,
    });
  }
  if (!shownFields.test(nameOf(path)) || !showable.test(text) || secretLooks(text)) {
    return undefined;
  }
  const advice = path[0] === 'hosts' ? adviseHost(text) : inBoth('');
  return inLanguage({
    en: `The value is ${text}${advice.en}.`,
    zh: `现在的值是 ${text}${advice.zh}。`,
  });
}

/** Fields with a host name, or with a URL. */
const hostFields = /^hosts\.|^release(?:\[|$)|\burl$|_url$|^mirrors\.|^dns\./;

/** Returns the ASCII form of a host name in another script (RFC 5891); undefined for other values. */
function asciiHost(path: readonly PropertyKey[], text: string): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?([^/?#@:]+)/i.exec(text)?.[1] ?? '';
  const isForeign = /[^\x20-\x7e]/.test(host) && !/\s/.test(host);
  if (!isForeign || !hostFields.test(nameOf(path)) || !URL.canParse(`https://${host}`)) {
    return undefined;
  }
  return new URL(`https://${host}`).hostname;
}

/** Returns what to write instead of a host, as the end of a sentence. */
function adviseHost(value: string): Text {
  const bare = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  if (/^[\d.]+$|^\[?[0-9a-f]*:[0-9a-f:.]*\]?$/.test(bare)) {
    return {
      en: '; an IP address is not a host name: remove hosts to serve the UI at the address',
      zh: '；IP 地址不是域名：要用 IP 地址访问聊天界面，请删除 hosts',
    };
  }
  const isValid = siteSchema.shape.hosts.safeParse({ ui: bare }).success;
  return isValid ? { en: `; write ${bare}`, zh: `；请写成 ${bare}` } : inBoth('');
}
