import { isPrivate } from '../registry/loopback.ts';

/** Returns whether the source of a GGUF file is a URL; otherwise it is a path. */
export function isWebUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

/** Returns what is wrong with the source of a GGUF file, as the end of a sentence, or undefined. */
export function flawOfGgufSource(source: string): string | undefined {
  if (!isWebUrl(source)) return undefined;
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (!url || !isPrivate(url)) return 'must be an https URL or a path';
  if (url.username || url.password) return 'must be a URL without a login';
  return undefined;
}
