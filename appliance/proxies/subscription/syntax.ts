/** How a text is written. `ini` is the syntax of Surge and WireGuard, which is not supported. */
type Syntax = 'links' | 'json' | 'yaml' | 'ini' | 'page';

/** Returns how a text is written. Whether it has proxies is decided later. */
export function syntaxOf(text: string): Syntax {
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

/** Returns the first line that is not a comment. */
function firstLine(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.find((line) => line !== '' && !/^\s*(?:#|\/\/|;)/.test(line)) ?? '';
}
