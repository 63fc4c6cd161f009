import type { Site } from '#contract/site.ts';

/** What smoke tests are run against: a server as it is seen from somewhere. */
export interface Target {
  readonly site: Site;
  /** Where the gateway listens: loopback on the server, the public address from a laptop. */
  readonly gateway: string;
  /** The host that browsers ask for the chat UI: a name of the site, or the bare address. */
  readonly uiHost: string;
  /** What only the server itself reaches. Nothing when tests run from elsewhere. */
  readonly inside?: Inside;
}

export interface Inside {
  /** Bases such as `http://10.213.0.3:11434`; nothing for what does not run. */
  readonly engine: string;
  readonly relay?: string;
  /** Host and port of the proxy. */
  readonly proxy: { readonly host: string; readonly port: number };
  readonly secrets: Readonly<Record<string, string>>;
  /** What the chat UI's administrator signs in with. */
  readonly administrator: { readonly email: string; readonly password: string };
  /** PEM of the server's own authority, where it has one. */
  readonly authority?: string;
}

/** A URL of the chat UI as a browser asks for it. */
export function uiUrl({ site, uiHost }: Target, path: string): string {
  const host = uiHost.includes(':') ? `[${uiHost}]` : uiHost;
  return `${site.tls.mode === 'off' ? 'http' : 'https'}://${host}${path}`;
}
