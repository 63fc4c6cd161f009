import type { S3Settings } from './settings.ts';

/** Returns the URL of an object, or of the bucket for an empty key. */
export function objectUrl(
  { endpoint, isVirtualHost }: Pick<S3Settings, 'endpoint' | 'isVirtualHost'>,
  bucket: string,
  key: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(endpoint);
  if (isVirtualHost) url.hostname = `${bucket}.${url.hostname}`;
  const folder = endpoint.pathname.replace(/\/$/, '');
  // `+` in a path would be signed as a space.
  const path = key.split('/').map(encodeURIComponent).join('/');
  url.pathname = isVirtualHost ? `${folder}/${path}` : `${folder}/${bucket}/${path}`;
  if (key === '' && !isVirtualHost) url.pathname = `${folder}/${bucket}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
