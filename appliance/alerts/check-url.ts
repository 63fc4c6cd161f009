import { LandfallError } from '#contract/errors.ts';
import { isExempt } from '#http/no-proxy.ts';

/** Hosts that are reached without the internet, where http is allowed. */
const local =
  'localhost,127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,.local,.internal,.lan';

/**
 * Parses the URL of an alert target. It contains a secret, so it must be https outside of private
 * networks, and errors do not contain it.
 * @throws LandfallError ALERT_FAILED
 */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isExempt(url, local));
  if (url !== undefined && isSafe && `${url.username}${url.password}${url.hash}` === '') return url;
  throw new LandfallError('ALERT_FAILED', 'the URL of the alert target is invalid', {
    hint: 'Set an https URL without user, password and fragment; http is allowed in private networks only.',
    retriable: false,
  });
}
