import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { anyCertificate } from './any-certificate.ts';
import type { Via } from './exchange.ts';

const timeout = 20_000;

/** Returns the certificate that a server presents for a host. @throws Error when there is none */
export async function peerCertificate(
  { address, ports }: Via,
  host: string,
): Promise<X509Certificate> {
  return await new Promise((resolve, reject) => {
    const socket = connect({
      host: address ?? host,
      port: ports?.https ?? 443,
      ...anyCertificate,
      // SNI does not allow addresses (RFC 6066, 3).
      ...(isIP(host) ? {} : { servername: host }),
    });
    socket.setTimeout(timeout, () => socket.destroy(new Error('the connection timed out')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.end();
      if (certificate) resolve(certificate);
      else reject(new Error('the server presents no certificate'));
    });
  });
}
