import type { Site } from '#contract/site/site.ts';

export type TlsMode = Site['tls']['mode'];

/** What has to be known of a site; the rest of site.yaml is written as it usually is. */
export interface SiteAnswers {
  readonly releaseUrl: string;
  readonly user: string;
  /** Lines of OpenSSH public key files. */
  readonly sshKeys: readonly string[];
  readonly email: string | undefined;
  /** Host name of the chat UI; undefined: reachable by the bare address. */
  readonly uiHost: string | undefined;
  readonly tls: TlsMode;
  readonly acceptTerms: boolean;
  /** An HTTP or SOCKS5 proxy that the server must go out through. */
  readonly routeUrl: string | undefined;
}

export const defaultUser = 'ops';

/** Whether a certificate authority is asked, which wants to know whom it deals with. */
export function asksAuthority(mode: TlsMode): boolean {
  return mode === 'acme' || mode === 'acme-staging' || mode === 'acme-ip';
}
