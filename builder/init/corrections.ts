import { domainToASCII } from 'node:url';

/*
 * What users paste is often almost right: a URL instead of a host name, a scheme twice, capital
 * letters. The prompts show what they made of it.
 */

/** Returns the host name in an answer, in lower case, without scheme, port, path and last dot. */
export function correctHost(answer: string): string {
  const bare = answer
    .trim()
    .replace(/^(?:[a-z]+:\/\/)+/i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
  // Names in other scripts have an ASCII form in DNS (RFC 5891).
  return domainToASCII(bare) || bare;
}

/** Returns whether an answer is an IP address, with or without brackets. */
export function isAddress(answer: string): boolean {
  return /^[\d.]+$|^\[?[0-9a-f]*:[0-9a-f:.]*\]?$/i.test(answer);
}

/** Returns the URL in an answer: with one scheme, which is https by default. */
export function correctUrl(answer: string): string {
  const text = answer.trim().replace(/^https?:\/\/(?=https?:\/\/)/i, '');
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return `https://${text}`;
}

/** Returns the URL of a proxy in an answer: with the scheme http by default. */
export function correctProxy(answer: string): string {
  const text = answer.trim();
  return /^[^/]+:\d+$/.test(text) ? `http://${text}` : text;
}
