import { LandfallError } from '#contract/errors.ts';
import { defaultUser, type SiteAnswers, type TlsMode, usesAuthority } from './answers.ts';

/**
 * Returns the values of the flags, with defaults for missing ones.
 * @throws LandfallError USAGE naming every missing flag that has no default
 */
export function withoutAsking(known: Partial<SiteAnswers>): SiteAnswers {
  const { releaseUrls = [], sshKeys = [], email, uiHost, acceptTerms = false, route } = known;
  const tls = known.tls ?? defaultTls(known);
  const missing = [
    releaseUrls.length === 0 && '--release-url',
    sshKeys.length === 0 && '--ssh-key',
    (tls === 'acme' || tls === 'acme-staging') && !uiHost && '--ui-host',
    usesAuthority(tls) && !email && '--email',
    usesAuthority(tls) && !acceptTerms && '--accept-terms',
  ].filter((flag) => flag !== false);
  if (missing.length > 0) throw usage(tls, missing);
  const user = known.user ?? defaultUser;
  const { providers = {}, frontEnds = [], localModels = true } = known;
  const rest = { providers, frontEnds, localModels };
  return { releaseUrls, user, sshKeys, email, uiHost, tls, acceptTerms, route, ...rest };
}

/** Returns the default mode: acme for a host name; acme-ip only if email and terms are given. */
export function defaultTls({ uiHost, email, acceptTerms }: Partial<SiteAnswers>): TlsMode {
  if (uiHost) return 'acme';
  return email && acceptTerms ? 'acme-ip' : 'internal';
}

function usage(tls: TlsMode, missing: readonly string[]): LandfallError {
  const instead = usesAuthority(tls) ? ' For an internal certificate, use --tls internal.' : '';
  return new LandfallError('USAGE', `missing flags: ${missing.join(', ')}`, {
    hint: `Add them, or run the command on a terminal to be prompted.${instead}`,
  });
}
