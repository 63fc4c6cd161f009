import type { StackInput } from '../stack-input.ts';

/** A page of the server's own documentation, written for its site. */
export interface Page {
  /** Its place: `/agents/<name>.md` as Markdown, `/agents/<name>` as HTML or Markdown. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the list of pages. */
  readonly summary: string;
  /** Markdown below the title. */
  readonly body: string;
}

export type WritePage = (input: StackInput) => Page;

/** A block of code. */
export function code(language: string, ...lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}

/** How to reach a part from one's own machine: its public address, or an SSH tunnel to it. */
export function addressOf(
  { site }: StackInput,
  part: 'ui' | 'chat' | 'lobe' | 'relay',
): { readonly url: string; readonly tunnel: string | undefined } {
  const name = site.hosts[part];
  if (name)
    return { url: `${site.tls.mode === 'off' ? 'http' : 'https'}://${name}`, tunnel: undefined };
  const port = site.ports[part];
  return { url: `http://127.0.0.1:${port}`, tunnel: tunnelTo(site, port) };
}

/**
 * The command that makes a port of the server's loopback one of one's own machine. Any host name of
 * the site leads to the server; without one its owner knows the address.
 */
export function tunnelTo({ admin, hosts }: StackInput['site'], port: number): string {
  const server = Object.values(hosts).find((name) => name !== undefined) ?? 'SERVER';
  return `ssh -N -L 127.0.0.1:${port}:127.0.0.1:${port} ${admin.user}@${server}`;
}
