import { isIP } from 'node:net';
import { webroot } from './acme-folder.ts';
import type { Authority } from './authority.ts';

/** Let's Encrypt issues certificates for addresses with this profile only (six days). */
const addressProfile = 'shortlived';

/**
 * Returns certbot's arguments to request one certificate for all names over HTTP (RFC 8555, 8.3).
 * Always renews: the caller decides when. Addresses need certbot 5.8; 4.0 does not support them.
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
