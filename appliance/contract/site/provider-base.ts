/** Returns whether a provider's base URL ends with the version of OpenAI's API (SPEC 9). */
export function endsInVersion(url: string): boolean {
  return /\/v1\/?$/.test(new URL(url).pathname);
}

/** Returns advice with the current base URL, without account and query, and a correct one. */
export function adviseBase(url: string): string {
  const { origin, pathname } = new URL(url);
  const folder = pathname.replace(/\/+$/, '');
  // Users often paste the URL of an endpoint.
  const version = /^.*?\/v1(?=\/)/.exec(folder)?.[0] ?? `${folder}/v1`;
  return `Set ${origin}${version} instead of ${origin}${pathname} if the provider's OpenAI API is there.`;
}
