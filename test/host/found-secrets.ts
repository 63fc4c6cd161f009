import type { FastHost } from './machine/fast-host.ts';

/** Returns the values of the secrets of a server by their names. */
export async function secretsOf(host: FastHost): Promise<Readonly<Record<string, string>>> {
  const lines = await host.output("grep -r '' /etc/landfall/secrets");
  const pairs = lines.split('\n').map((line) => /^.*\/([^/:]+):(.*)$/.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(pairs);
}

/** Returns the names of secrets whose values occur in a text, plain or in base64. */
export function foundIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, value]) => [value, btoa(value).replace(/=+$/, '')].some((it) => text.includes(it)))
    .map(([name]) => name);
}
