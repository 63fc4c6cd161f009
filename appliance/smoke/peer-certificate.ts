import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { anyCertificate } from './any-certificate.ts';

const timeout = 20_000;

/** The certificate that a server shows to whoever asks for a host. @throws Error when none comes */
export async function peerCertificate(address: string, host: string): Promise<X509Certificate> {
  return await new Promise((resolve, reject) => {
    const socket = connect({
      host: address,
      port: 443,
      ...anyCertificate,
      // An address is no server name (RFC 6066, 3).
      ...(isIP(host) ? {} : { servername: host }),
    });
    socket.setTimeout(timeout, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.end();
      if (certificate) resolve(certificate);
      else reject(new Error('it shows no certificate'));
    });
  });
}
