import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { BootSettings } from './boot-settings.ts';

/** What a person reads first: what this is, whom it trusts, what it gives away. */
export function openingComment(
  { product, version }: BootSettings,
  site: Site,
  { release, recovery }: TrustedKeys,
): string[] {
  return [
    `${product} ${version} for a new server: paste all of it as user-data. It runs only what these keys`,
    'signed. Compare them with those that the project publishes elsewhere:',
    ...release.map(({ id }) => `  release key  ${formatKeyId(id)}`),
    ...(recovery ? [`  recovery key ${formatKeyId(recovery.id)}`] : []),
    hasRoutePassword(site)
      ? 'It holds a password, that of your proxy: whoever can read user-data can use it.'
      : 'It holds no secret.',
    'On the server: journalctl -fu landfall-boot',
  ];
}

/** Whether the site carries the one secret that it may carry. */
export function hasRoutePassword({ route }: Site): boolean {
  return route.mode !== 'direct' && new URL(route.url).password !== '';
}
