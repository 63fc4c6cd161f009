import { isIP } from 'node:net';
import { webroot } from './acme-folder.ts';
import type { Authority } from './authority.ts';

/** Let's Encrypt gives certificates for addresses for six days alone. */
const addressProfile = 'shortlived';

/**
 * certbot's arguments to ask for one certificate for all these names, over HTTP (RFC 8555, 8.3).
 * Whether it is time to ask was decided before. certbot 5.8 takes addresses, 4.0 does not.
 */
export function certbotArguments(
  { url, lineage }: Authority,
  email: string,
  names: readonly string[],
): string[] {
  const addresses = names.filter((name) => isIP(name));
  return [
    ...['certonly', '--non-interactive', '--agree-tos', '--no-eff-email', `--email=${email}`],
    ...['--server', url, '--cert-name', lineage, '--webroot', '--webroot-path', webroot],
    ...['--force-renewal', '--renew-with-new-domains', '--max-log-backups', '5'],
    ...names.filter((name) => !isIP(name)).flatMap((name) => ['--domain', name]),
    ...addresses.flatMap((address) => ['--ip-address', address]),
    ...(addresses.length > 0 ? ['--preferred-profile', addressProfile] : []),
  ];
}
