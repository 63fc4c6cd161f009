import { isHostAndPort } from '#contract/site/plain-host.ts';

/** Returns whether a text is a host name or address, with or without a port, and nothing else. */
export function isHostName(text: string): boolean {
  return !/[/?#@\\]/.test(text) && isHostAndPort(text);
}
