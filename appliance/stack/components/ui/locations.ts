import { addressInStack } from '../../address-in-stack.ts';
import { asked, policy, proxied, withUpgrade } from '../../gateway/directives.ts';

/** Returns the locations of Open WebUI. */
export function uiLocations(scheme: string): string {
  const upstream = addressInStack('ui');
  return [
    policy("frame-ancestors 'none'"),
    asked(scheme, withUpgrade),
    proxied('/', upstream),
    // The only limit on password guessing. Requests from pages of other sites are not counted for bans,
    // so they must not reach the sign-in.
    proxied(
      '/api/v1/auths/',
      upstream,
      'if ($is_own_page = 0) { return 403; }',
      'limit_req zone=sign_in burst=20 nodelay;',
    ),
  ].join('\n');
}
