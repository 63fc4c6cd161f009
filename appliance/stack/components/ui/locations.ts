import { addressInStack } from '../../address-in-stack.ts';
import { asked, policy, proxied, withUpgrade } from '../../gateway/directives.ts';

/** Returns what Open WebUI answers under its host name. */
export function uiLocations(scheme: string): string {
  const upstream = addressInStack('ui');
  return [
    policy("frame-ancestors 'none'"),
    asked(scheme, withUpgrade),
    proxied('/', upstream),
    // The only limit for guessed passwords. A page of another site has no reason to sign users in, and
    // a client that claims to be one is not counted for bans.
    proxied(
      '/api/v1/auths/',
      upstream,
      'if ($is_own_page = 0) { return 403; }',
      'limit_req zone=sign_in burst=20 nodelay;',
    ),
  ].join('\n');
}
