import { dirname, relative } from 'node:path';
import { components } from '#contract/components.ts';
import { gatewayPageFile, stackFolder } from '#contract/server-paths.ts';
import type { Origin } from '#contract/site/endpoints.ts';
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

/** Ports in the container, wherever Docker publishes them. */
const ports = components.gateway.publicPorts;

function listens(port: number, options = ''): string {
  return `listen ${port}${options}; listen [::]:${port}${options};`;
}

type Pair = (typeof certificateFiles)[keyof typeof certificateFiles];

/** Renders the servers of a host name: HTTP redirects to HTTPS, and HTTPS serves the component. */
export function namedServers(name: string, locations: string, security: Security): string {
  const own = `server_name ${name};`;
  const http = listens(ports.http);
  const content = [...errorLocations(security), locations];
  if (!security.tls) return server(noHsts, http, own, ...withoutTls, ...content);
  return [
    server(noHsts, http, own, ...withoutTls, redirect(security.origin)),
    server(
      security,
      listens(ports.https, ' ssl'),
      own,
      certificate(certificateFiles.site),
      challenge,
      ...(security.plain ? [] : [authority]),
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
    listens(ports.http, ' default_server'),
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
      listens(ports.https, ' ssl default_server'),
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
    listens(ports.http),
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
export function bareServers(locations: string, security: Omit<Security, 'hsts'>): string {
  return [
    otherHostServers(security.tls, certificateFiles.site),
    namedServers(`${addresses} localhost`, locations, { ...security, ...noHsts }),
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

const redirect = (origin: Origin) => `location / { return 301 ${origin}$request_uri; }`;

export function certificate({ chain, key }: Pair): string {
  return `ssl_certificate ${insideGateway(chain)};\nssl_certificate_key ${insideGateway(key)};`;
}
