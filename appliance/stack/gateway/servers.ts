import {
  authorityFile,
  authorityPath,
  certificateFiles,
  challengeRoot,
  healthPath,
  insideGateway,
} from './certificate-files.ts';

interface Security {
  readonly tls: boolean;
  readonly hsts: boolean;
}

type Pair = (typeof certificateFiles)[keyof typeof certificateFiles];

/** What a host name answers: HTTP redirects to HTTPS, and HTTPS serves the part. */
export function namedServers(name: string, locations: string, { tls, hsts }: Security): string {
  const own = `server_name ${name};`;
  if (!tls) return server('listen 80; listen [::]:80;', own, ...withoutTls, locations);
  return [
    server('listen 80; listen [::]:80;', own, ...withoutTls, redirect),
    server(
      'listen 443 ssl; listen [::]:443 ssl;',
      own,
      certificate(certificateFiles.site),
      hsts ? 'add_header Strict-Transport-Security "max-age=31536000" always;' : '',
      locations,
    ),
  ].join('\n');
}

/**
 * What every other host gets: 403 (SPEC 7), on the default TLS handshake too. Without TLS
 * nothing of it counts for bans: any page can send its visitors here under a name of its own.
 * @param pair the certificate for clients that name no host, as with a bare address
 */
export function otherHostServers(tls: boolean, pair: Pair = certificateFiles.other): string {
  const refusal = 'location / { return 403; }';
  const plain = server(
    'listen 80 default_server; listen [::]:80 default_server;',
    'server_name _ proxy.local;',
    'access_log /dev/stdout landfall;',
    ...withoutTls,
    refusal,
  );
  if (!tls) return plain;
  return [
    plain,
    server(
      'listen 443 ssl default_server; listen [::]:443 ssl default_server;',
      'server_name _;',
      certificate(pair),
      refusal,
    ),
  ].join('\n');
}

/**
 * A site without host names: addresses alone are hosts, so that no foreign name that somebody
 * points here is served (DNS rebinding).
 */
export function bareServers(locations: string, tls: boolean): string {
  return [
    otherHostServers(tls, certificateFiles.site),
    namedServers(addresses, locations, { tls, hsts: false }),
  ].join('\n');
}

const addresses = String.raw`~^[0-9.]+$ ~^\[[0-9a-f:.]+\]$ localhost`;

const health = `location = ${healthPath} {
  access_log off;
  default_type text/plain;
  return 200 "ok\\n";
}`;

/** Answers to a certificate authority (RFC 8555, 8.3), always without TLS. */
const challenge = `location ^~ /.well-known/acme-challenge/ {
  root ${challengeRoot};
  default_type text/plain;
}`;

/** The server's own authority, for people to install; 404 where the site has another one. */
const authority = `location = ${authorityPath} {
  alias ${insideGateway(authorityFile)};
  types { }
  default_type application/x-x509-ca-cert;
}`;

/** What answers without TLS whatever the host. */
const withoutTls = [health, challenge, authority];

const redirect = 'location / { return 301 https://$host$request_uri; }';

function certificate({ chain, key }: Pair): string {
  return `ssl_certificate ${insideGateway(chain)};\nssl_certificate_key ${insideGateway(key)};`;
}

/** What browsers are told about every answer. */
const forBrowsers = [
  'add_header X-Content-Type-Options nosniff always;',
  'add_header Referrer-Policy same-origin always;',
];

function server(listen: string, name: string, ...parts: string[]): string {
  const body = [listen, name, ...forBrowsers, ...parts].filter(Boolean).join('\n');
  return `server {\n${body.replace(/^(?=.)/gm, '  ')}\n}\n`;
}
