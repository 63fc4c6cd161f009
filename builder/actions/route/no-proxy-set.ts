import { LandfallError } from '#contract/errors.ts';

/** Returns the error of a command that needs the proxy of this user. */
export function noProxySet(): LandfallError {
  return new LandfallError('CONFIG_MISSING', 'no proxy is set', {
    hint: 'Run `landfall route on http://host:port` first.',
  });
}
