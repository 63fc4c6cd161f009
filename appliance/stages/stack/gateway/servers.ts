import { dirname, relative } from 'node:path';
import { gatewayPageFile, stackFolder } from '#contract/server-paths.ts';
import { contentPolicy } from '../../../server/progress/page/assets.ts';
import {
  authorityFile,
  authorityPath,
  certificateFiles,
  challengeRoot,
  healthPath,
  insideGateway,
} from './certificate-files.ts';
import { block, noHsts, policy, type Security, securityHeaders, server } from './directives.ts';
import { errorLocations } from './gateway-errors.ts';

type Pair = (typeof certificateFiles)[keyof typeof certificateFiles];

/** Renders the servers of a host name: HTTP redirects to HTTPS, and HTTPS serves the component. */
export function namedServers(name: string, locations: string, security: Security): string {
  const own = `server_name ${name};`;
  const http = 'listen 80; listen [::]:80;';
  const content = [...errorLocations(security), locations];
  if (!security.tls) return server(noHsts, http, own, ...withoutTls, ...content);
  return [
    server(noHsts, http, own, ...withoutTls, redirect),
    server(
      security,
      'listen 443 ssl; listen [::]:443 ssl;',
      own,
      certificate(certificateFiles.site),
      challenge,
      ...content,
    ),
  ].join('\n');
}

/**
 * Renders the servers for all other hosts, which return 403 (SPEC 7), also on the default TLS
 * handshake. Requests without TLS do not count for bans, because any page can send its visitors here
 * under its own name.
 * @param pair certificate for clients without SNI, as with a bare address
 */
export function otherHostServers(tls: boolean, pair: Pair = certificateFiles.other): string {
  const refusal = 'location / { return 403; }';
  const plain = server(
    noHsts,
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
      noHsts,
      'listen 443 ssl default_server; listen [::]:443 ssl default_server;',
      'server_name _;',
      certificate(pair),
      refusal,
    ),
  ].join('\n');
}

/**
 * Renders the server of bare addresses for a site with host names. It serves the progress page of the
 * first boot while its file exists, and otherwise returns 403 as for any other host.
 */
export function progressServer(): string {
  return server(
    noHsts,
    'listen 80; listen [::]:80;',
    `server_name ${addresses};`,
    'access_log /dev/stdout landfall;',
    ...withoutTls,
    `location / ${block([
      `root ${insideGateway(dirname(relative(stackFolder, gatewayPageFile)))};`,
      'try_files /index.html =403;',
      'charset utf-8;',
      'add_header Cache-Control no-store always;',
      'add_header X-Frame-Options DENY always;',
      ...securityHeaders(noHsts),
      policy(contentPolicy),
    ])}`,
  );
}

/**
 * Renders the servers of a site without host names. Only addresses are valid hosts, which prevents DNS
 * rebinding with foreign names.
 */
export function bareServers(locations: string, tls: boolean): string {
  return [
    otherHostServers(tls, certificateFiles.site),
    namedServers(`${addresses} localhost`, locations, { tls, hsts: false }),
  ].join('\n');
}

const addresses = String.raw`~^[0-9.]+$ ~^\[[0-9a-f:.]+\]$`;

const health = `location = ${healthPath} {
  access_log off;
  default_type text/plain;
  return 200 "ok\\n";
}`;

/** ACME challenges (RFC 8555, 8.3). Over TLS they arrive from networks that redirect to HTTPS. */
const challenge = `location ^~ /.well-known/acme-challenge/ {
  root ${challengeRoot};
  default_type text/plain;
}`;

/** Certificate of the server's own authority, for users to install; 404 when the site uses another. */
const authority = `location = ${authorityPath} {
  alias ${insideGateway(authorityFile)};
  types { }
  default_type application/x-x509-ca-cert;
}`;

/** Locations without TLS, for every host. */
const withoutTls = [health, challenge, authority];

const redirect = 'location / { return 301 https://$host$request_uri; }';

export function certificate({ chain, key }: Pair): string {
  return `ssl_certificate ${insideGateway(chain)};\nssl_certificate_key ${insideGateway(key)};`;
}
