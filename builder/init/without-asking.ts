import { LandfallError } from '#contract/errors.ts';
import { usesAuthority } from './answers.ts';
import type { Given } from './given.ts';
import type { TlsMode } from './tls-modes.ts';

/**
 * Returns the values of the flags with the mode of TLS.
 * @throws LandfallError USAGE naming every missing flag that has no default
 */
export function withoutAsking(known: Given): Given {
  const { packaged, releaseWay, sshKeys = [], email, uiHost, acceptTerms = false } = known;
  const tls = known.tls ?? defaultTls(known);
  const missing = [
    !packaged && releaseWay === undefined && '--release-url',
    sshKeys.length === 0 && '--ssh-key',
    (tls === 'acme' || tls === 'acme-staging') && !uiHost && '--ui-host',
    usesAuthority(tls) && !email && '--email',
    usesAuthority(tls) && !acceptTerms && '--accept-terms',
  ].filter((flag) => flag !== false);
  if (missing.length > 0) throw usage(tls, missing);
  return { ...known, tls };
}

/** Returns the default mode: acme for a host name; acme-ip only if email and terms are given. */
export function defaultTls({
  uiHost,
  email,
  acceptTerms,
}: Pick<Given, 'uiHost'> & {
  email?: string | undefined;
  acceptTerms?: boolean | undefined;
}): TlsMode {
  if (uiHost) return 'acme';
  return email && acceptTerms ? 'acme-ip' : 'internal';
}

function usage(tls: TlsMode, missing: readonly string[]): LandfallError {
  const instead = usesAuthority(tls) ? ' For an internal certificate, use --tls internal.' : '';
  return new LandfallError('USAGE', `missing flags: ${missing.join(', ')}`, {
    hint: `Add them, or run the command on a terminal to be prompted.${instead}`,
  });
}
