import type { Site } from '#contract/site/site.ts';

export type TlsMode = Site['tls']['mode'];

const modes: Readonly<Record<TlsMode, true>> = {
  acme: true,
  'acme-staging': true,
  'acme-ip': true,
  custom: true,
  internal: true,
  off: true,
};

/** Values of `tls.mode`. The site's schema has them too, but takes long to load. */
export const tlsModes = Object.keys(modes) as readonly TlsMode[];
