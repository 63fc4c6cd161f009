import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { originOf } from '#contract/site/endpoints.ts';
import { exchange, expectStatus } from '../exchange.ts';
import { peerCertificate } from '../peer-certificate.ts';
import { gatewayHosts } from '../place.ts';
import type { SmokeTest } from '../smoke-test.ts';
import type { Target } from '../target.ts';

const lookAt = 'sudo docker logs --tail 50 landfall-gateway';
/** A name that is nobody's (RFC 6761, ".invalid"). */
const stranger = 'stranger.invalid';

const noTls = ({ site }: Target) => (site.tls.mode === 'off' ? 'the site has no TLS' : undefined);

export const gatewayTests: readonly SmokeTest[] = [
  {
    name: 'gateway-redirect',
    title: 'HTTP sends browsers to HTTPS',
    lookAt,
    notFor: noTls,
    run: async (target) => {
      for (const host of gatewayHosts(target)) {
        const wanted = `${originOf(target.site, host)}/`;
        const asked = wanted.replace('https:', 'http:');
        const answer = await exchange(asked, { address: target.gateway });
        expectStatus(answer, 301);
        const found = answer.header('location');
        if (found !== wanted) throw new Error(`it sends them to ${found} instead of ${wanted}`);
      }
    },
  },
  {
    name: 'gateway-other-host-http',
    title: 'another host name gets 403 over HTTP',
    lookAt,
    run: async ({ gateway }) =>
      expectStatus(await exchange(`http://${stranger}/`, { address: gateway }), 403),
  },
  {
    name: 'gateway-other-host-https',
    title: 'another host name gets 403 over HTTPS',
    lookAt,
    notFor: noTls,
    run: async ({ gateway }) =>
      expectStatus(await exchange(`https://${stranger}/`, { address: gateway }), 403),
  },
  {
    name: 'certificate',
    title: 'the certificate is for every host name and in date',
    lookAt:
      'sudo landfall tls status; DNS has to point here before an authority gives a certificate',
    notFor: noTls,
    run: async (target) => {
      for (const host of gatewayHosts(target)) {
        judgeCertificate(await peerCertificate(target.gateway, host), host);
      }
    },
  },
];

/** @throws Error when a certificate is not for a host, or not now */
function judgeCertificate(certificate: X509Certificate, host: string): void {
  const covered = isIP(host)
    ? certificate.checkIP(host)
    : certificate.checkHost(host, { subject: 'never' });
  if (!covered) {
    throw new Error(`${host} gets one for ${certificate.subjectAltName ?? 'nobody'}`);
  }
  const now = new Date();
  if (now < certificate.validFromDate || now > certificate.validToDate) {
    throw new Error(`it is valid from ${certificate.validFrom} to ${certificate.validTo}`);
  }
}
