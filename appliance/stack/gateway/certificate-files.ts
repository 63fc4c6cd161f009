/**
 * Where the gateway expects its certificates, below `/var/lib/landfall/stack`. The stage `tls` puts
 * files there before the gateway starts: self-signed ones until real ones are there. Both files of
 * a pair belong to user 101, the key with mode 0400.
 */
export const certificateFiles = {
  /** For every host name of the site, or for the bare address where it has none. */
  site: { chain: 'gateway/tls/site/fullchain.pem', key: 'gateway/tls/site/privkey.pem' },
  /** For whoever asks by another name or by none: self-signed, it names nobody. */
  other: { chain: 'gateway/tls/other/fullchain.pem', key: 'gateway/tls/other/privkey.pem' },
} as const;

/** The stack's folder as the gateway sees it is mounted part by part. */
export function insideGateway(file: string): string {
  return file.replace(/^gateway\//, '/etc/nginx/landfall/');
}

/** Where the client of the certificate authority puts its answers, as the gateway sees it. */
export const challengeRoot = '/var/lib/landfall/challenges';
/** Where the gateway's health is asked, without a host name and without TLS. */
export const healthPath = '/.well-known/landfall/health';

/** The certificate of the server's own authority, for people to install; below the stack's folder. */
export const authorityFile = 'gateway/public/authority.crt';
/** Where the gateway hands it out. */
export const authorityPath = '/.well-known/landfall/authority.crt';
