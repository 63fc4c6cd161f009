/** Whether a provider's base address ends where OpenAI's API begins (SPEC 9). */
export function endsInVersion(url: string): boolean {
  return /\/v1\/?$/.test(new URL(url).pathname);
}

/** What a base address says, without account and query, and what it should say instead. */
export function adviseBase(url: string): string {
  const { origin, pathname } = new URL(url);
  const folder = pathname.replace(/\/+$/, '');
  // People copy the address of an endpoint.
  const version = /^.*?\/v1(?=\/)/.exec(folder)?.[0] ?? `${folder}/v1`;
  return `It is ${origin}${pathname}; write ${origin}${version} if the provider speaks OpenAI's API there.`;
}
