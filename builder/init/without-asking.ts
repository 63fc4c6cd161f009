import { LandfallError } from '#contract/errors.ts';
import { asksAuthority, defaultUser, type SiteAnswers, type TlsMode } from './answers.ts';

/**
 * Fills in what the flags did not say, where there is a good default.
 * @throws LandfallError USAGE naming every flag that is missing
 */
export function withoutAsking(known: Partial<SiteAnswers>): SiteAnswers {
  const { releaseUrl = '', sshKeys = [], email, uiHost, acceptTerms = false, routeUrl } = known;
  const tls = known.tls ?? defaultTls(known);
  const missing = [
    releaseUrl === '' && '--release-url',
    sshKeys.length === 0 && '--ssh-key',
    (tls === 'acme' || tls === 'acme-staging') && !uiHost && '--ui-host',
    asksAuthority(tls) && !email && '--email',
    asksAuthority(tls) && !acceptTerms && '--accept-terms',
  ].filter((flag) => flag !== false);
  if (missing.length > 0) throw usage(tls, missing);
  const user = known.user ?? defaultUser;
  return { releaseUrl, user, sshKeys, email, uiHost, tls, acceptTerms, routeUrl };
}

/** With a name an authority can vouch for it; a bare address it vouches for only when asked to. */
export function defaultTls({ uiHost, email, acceptTerms }: Partial<SiteAnswers>): TlsMode {
  if (uiHost) return 'acme';
  return email && acceptTerms ? 'acme-ip' : 'internal';
}

function usage(tls: TlsMode, missing: readonly string[]): LandfallError {
  const instead = asksAuthority(tls) ? ' For a certificate of its own: --tls internal.' : '';
  return new LandfallError(
    'USAGE',
    `there is nobody to ask, and missing are: ${missing.join(', ')}`,
    { hint: `Give them on the command line, or run this on a terminal.${instead}` },
  );
}
