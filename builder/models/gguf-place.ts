import { isPrivate } from '../registry/loopback.ts';

/** Tells whether a GGUF file is on the web; otherwise its place is a path. */
export function isWebPlace(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

/** What is wrong with the place of a GGUF file, as the end of a sentence that names it; or undefined. */
export function flawOfPlace(place: string): string | undefined {
  if (!isWebPlace(place)) return undefined;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (!url || !isPrivate(url)) return 'must be an https URL or a path';
  if (url.username || url.password) return 'must be a URL without a login';
  return undefined;
}
