import type { Site } from '#contract/site/site.ts';
import { renderRedirectRules } from '../../appliance/stages/route/redirect/render-rules.ts';

/** Returns the rules that redirect users of a server of this site, as `landfall route redirect` does. */
export function redirectRulesOf({ route }: Pick<Site, 'route'>): string {
  const exempt = route.mode === 'direct' ? [] : route.no_proxy;
  return renderRedirectRules({ users: [1001, 1002], redsocks: 998, proxy: '192.0.2.7', exempt });
}
