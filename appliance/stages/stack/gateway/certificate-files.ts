/**
 * Paths of the gateway's certificates, below `/var/lib/landfall/stack`. They are self-signed until the
 * stage `tls` installs others. Both files of a pair belong to user 101, and the key has mode 0400.
 */
export const certificateFiles = {
  /** For every host name of the site, or for the server's address without host names. */
  site: { chain: 'gateway/tls/site/fullchain.pem', key: 'gateway/tls/site/privkey.pem' },
  /** For requests with another name or none. Self-signed, without a name. */
  other: { chain: 'gateway/tls/other/fullchain.pem', key: 'gateway/tls/other/privkey.pem' },
} as const;

/** Returns the path inside of the container for a path below the stack's folder. */
export function insideGateway(file: string): string {
  return file.replace(/^gateway\//, '/etc/nginx/landfall/');
}

/** Folder of ACME challenges, inside of the gateway's container. */
export const challengeRoot = '/var/lib/landfall/challenges';
/** The gateway's health endpoint, for any host name and without TLS. */
export const healthPath = '/.well-known/landfall/health';

/** The certificate of the server's own authority, for users to install; below the stack's folder. */
export const authorityFile = 'gateway/public/authority.crt';
/** The gateway's URL path of {@link authorityFile}. */
export const authorityPath = '/.well-known/landfall/authority.crt';
