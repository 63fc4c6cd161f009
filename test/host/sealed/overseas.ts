import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import { getCACertificates } from 'node:tls';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import type { Cloud } from '../network/cloud.ts';

/** What answers for a host: a handler, or the origin of another server. */
export type Origin = RequestListener | string;

/** Documentation addresses (RFC 5737, RFC 3849), to which the uplink leads. */
export const decoy = { v4: '203.0.113.1', v6: '2001:db8:f::1' };

/**
 * Hosts of the internet at one address of this machine, ports 80 and 443. The name server returns
 * other addresses for their names, so that only a proxy reaches them. Their certificates are from an
 * authority of the site, as behind a proxy that replaces certificates.
 */
export class Overseas {
  readonly authority = new CertificateAuthority('Landfall test CA');
  /** The address of each host, for proxies. */
  readonly names: Readonly<Record<string, string>>;

  private constructor(names: Readonly<Record<string, string>>) {
    this.names = names;
  }

  static async open(cloud: Cloud, origins: Readonly<Record<string, Origin>>): Promise<Overseas> {
    const { gateway } = cloud.network;
    const hosts = Object.keys(origins);
    const overseas = new Overseas(Object.fromEntries(hosts.map((name) => [name, gateway.v4])));
    const answer: RequestListener = (asking, response) => {
      const origin = origins[(asking.headers.host ?? '').split(':')[0] ?? ''];
      if (typeof origin === 'string') forward(new URL(origin), asking, response);
      else if (origin) origin(asking, response);
      else response.writeHead(421).end();
    };
    const certificate = overseas.authority.issue({ names: hosts });
    await cloud.network.serve(createSecureServer(certificate, answer), 443);
    await cloud.network.serve(createServer(answer), 80);
    for (const name of hosts) cloud.names.set(name, decoy);
    return overseas;
  }
}

/** Returns the handler of a server that does not listen. */
export function answeredBy(server: Server): Origin {
  return (asking, response) => void server.emit('request', asking, response);
}

const ca = [...getCACertificates('default'), ...getCACertificates('system')];

/** Forwards a request with its path to an origin. Hosts of the internet get their own name. */
function forward(origin: URL, asking: IncomingMessage, response: ServerResponse): void {
  const isSecure = origin.protocol === 'https:';
  const headers = isSecure ? { ...asking.headers, host: origin.host } : asking.headers;
  const url = new URL(asking.url ?? '/', origin);
  const options = { method: asking.method, headers };
  const upstream = isSecure ? secureRequest(url, { ...options, ca }) : request(url, options);
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(String(error));
  });
  asking.pipe(upstream);
}
