import { fromBase64 } from '#contract/text/base64.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes text in base64 with either alphabet, with or without padding, and across lines. Undefined
 * if it is not base64 of UTF-8.
 */
export function fromBase64Text(text: string): string | undefined {
  const plain = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=+$/, '');
  if (plain === '' || !/^[A-Za-z0-9+/]+$/.test(plain)) return undefined;
  const bytes = fromBase64(plain);
  try {
    return bytes && decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
