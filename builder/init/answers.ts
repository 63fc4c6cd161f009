import type { Site } from '#contract/site/site.ts';

export type FrontEnd = keyof Site['components'];
export type TlsMode = Site['tls']['mode'];

/** The answers for site.yaml; all other fields get their defaults. */
export interface SiteAnswers {
  /** URLs of folders with the release, in the order that servers try; or `push` alone. */
  readonly releaseUrls: readonly string[];
  readonly user: string;
  /** Lines of OpenSSH public key files. */
  readonly sshKeys: readonly string[];
  readonly email: string | undefined;
  /** Host name of the chat UI; undefined: the UI is served at the IP address. */
  readonly uiHost: string | undefined;
  readonly tls: TlsMode;
  readonly acceptTerms: boolean;
  /** URL of an HTTP or SOCKS5 proxy, or `client`; undefined: the server connects directly. */
  readonly route: string | undefined;
  /** Base URLs of hosted providers by name. */
  readonly providers: Readonly<Record<string, string>>;
  /** Optional front-ends for hosted providers. */
  readonly frontEnds: readonly FrontEnd[];
  /** False: no local models, only hosted ones. */
  readonly localModels: boolean;
}

export const defaultUser = 'ops';

/** Returns whether a mode uses a public certificate authority, which requires an email address. */
export function usesAuthority(mode: TlsMode): boolean {
  return mode === 'acme' || mode === 'acme-staging' || mode === 'acme-ip';
}
