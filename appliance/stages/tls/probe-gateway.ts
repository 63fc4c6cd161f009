import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { isIP } from 'node:net';
import { components } from '#contract/components.ts';
import { readAtMost, toLatin1 } from '#contract/text/bytes.ts';
import type { Host } from '../../server/host/host.ts';
import { putAnswer } from './acme-folder.ts';

/** Milliseconds. */
const timeout = 8000;
/** Maximum size of a response, in bytes. The expected one is much shorter. */
const max = 4096;

/**
 * Ports that authorities connect to, wherever the site has HTTPS (RFC 8555, 8.3). Tests use others.
 */
export const authorityPorts = components.gateway.publicPorts;
export type AuthorityPorts = Readonly<Record<keyof typeof authorityPorts, number>>;

/** What responds to the request of a certificate authority. */
interface Responder {
  /** This server's gateway, another server, or nothing. */
  readonly responder: 'gateway' | 'other' | 'none';
  /** The content delivery network that responded, if it is known. */
  readonly network?: string | undefined;
}

/** Headers that only some content delivery networks send. */
const networks: Readonly<Record<string, string>> = {
  'cf-ray': 'Cloudflare',
  'x-amz-cf-id': 'Amazon CloudFront',
  'x-fastly-request-id': 'Fastly',
  'x-akamai-request-id': 'Akamai',
  eagleid: 'Alibaba Cloud CDN',
  'x-nws-log-uuid': 'Tencent Cloud CDN',
  'eo-log-uuid': 'Tencent Cloud EdgeOne',
  'x-ccdn-cachettl': 'Huawei Cloud CDN',
  'ohc-cache-hit': 'Baidu Cloud CDN',
};

/**
 * Requests a token that only this server's gateway can return, as a certificate authority does. Unlike
 * a request to the authority, this has no rate limit.
 */
export async function probeGateway(
  host: Host,
  name: string,
  address: string,
  ports: AuthorityPorts = authorityPorts,
): Promise<Responder> {
  const [token, answer] = [`landfall-${randomBytes(8).toString('hex')}`, randomBytes(16)];
  const expected = answer.toString('hex');
  const remove = await putAnswer(host, token, expected);
  try {
    const path = `/.well-known/acme-challenge/${token}`;
    const found = await host.outside.measure(() => follow(address, name, path, ports));
    if (found === undefined) return { responder: 'none' };
    if (found.text === expected) return { responder: 'gateway' };
    return { responder: 'other', network: found.network };
  } finally {
    await remove();
  }
}

interface Answer {
  /** Empty for a status other than 200. */
  readonly text: string;
  readonly network: string | undefined;
  readonly location: string | undefined;
}

/** A content delivery network may redirect to HTTPS, which authorities follow with any certificate. */
async function follow(
  address: string,
  name: string,
  path: string,
  ports: AuthorityPorts,
): Promise<Answer | undefined> {
  const answer = await get(address, ports.http, name, path, false);
  const isMoved = answer?.location?.toLowerCase() === `https://${name}${path}`;
  return (isMoved ? await get(address, ports.https, name, path, true) : undefined) ?? answer;
}

/** Returns a response; undefined without any. */
async function get(
  address: string,
  port: number,
  name: string,
  path: string,
  tls: boolean,
): Promise<Answer | undefined> {
  const options = {
    ...{ host: address, port, path, agent: false, signal: AbortSignal.timeout(timeout) },
    headers: { host: isIP(name) === 6 ? `[${name}]` : name },
  };
  // The token is what proves that this server answers.
  const trust = { servername: isIP(name) ? '' : name, rejectUnauthorized: false };
  const sent = tls ? requestOverTls({ ...options, ...trust }) : request(options);
  // The timeout may also end the request while its response is read.
  sent.on('error', () => {});
  sent.end();
  const answer = await once(sent, 'response').catch(() => undefined);
  if (answer === undefined) return undefined;
  const [response] = answer as [IncomingMessage];
  const body = await readAtMost(response, max).then(toLatin1, () => '');
  const { headers, statusCode } = response;
  const sign = Object.keys(networks).find((header) => headers[header] !== undefined);
  return {
    text: statusCode === 200 ? body : '',
    network: sign === undefined ? undefined : networks[sign],
    location: headers.location,
  };
}
