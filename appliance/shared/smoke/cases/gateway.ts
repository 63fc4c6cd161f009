import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { isEngineNode } from '#contract/site/enabled.ts';
import { originOf } from '#contract/site/endpoints.ts';
import { publicPorts } from '#contract/site/network/public-ports.ts';
import { inLanguage } from '#contract/text/language.ts';
import { gatewayHosts, viaGateway } from '../endpoint.ts';
import { anyCertificate, exchange, expectStatus } from '../exchange.ts';
import { testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';

/** A name that never exists (RFC 6761, ".invalid"). */
const stranger = 'stranger.invalid';

const noTls = ({ site }: SmokeTarget) =>
  site.tls.mode === 'off'
    ? inLanguage({ en: 'the site has no TLS', zh: '站点没有启用 TLS' })
    : undefined;

const closed = (target: SmokeTarget) =>
  publicPorts(target.site).http === undefined
    ? inLanguage({ en: 'the site has port 80 closed', zh: '站点关闭了 80 端口' })
    : undefined;

const noPages = (target: SmokeTarget) =>
  isEngineNode(target.site)
    ? inLanguage({ en: 'an engine node has no pages', zh: '推理节点没有页面' })
    : noTls(target);

export const gatewayTests = testsOf(
  'gateway',
  [
    {
      name: 'gateway-redirect',
      title: 'HTTP redirects to HTTPS',
      chinese: 'HTTP 重定向到 HTTPS',
      notFor: (target) => noPages(target) ?? closed(target),
      run: async (target) => {
        for (const host of gatewayHosts(target)) {
          const wanted = `${originOf(target.site, host)}/`;
          const asked = new URL(wanted.replace('https:', 'http:'));
          asked.port = '';
          const answer = await exchange(asked.href, viaGateway(target));
          expectStatus(answer, 301);
          const found = answer.header('location');
          if (found !== wanted)
            throw new Error(
              inLanguage({
                en: `redirects to ${found} instead of ${wanted}`,
                zh: `重定向到 ${found}，应为 ${wanted}`,
              }),
            );
        }
      },
    },
    {
      name: 'gateway-other-host-http',
      title: 'an unknown host name gets 403 over HTTP',
      chinese: '未知域名通过 HTTP 访问得到 403',
      notFor: closed,
      run: async (target) =>
        expectStatus(await exchange(`http://${stranger}/`, viaGateway(target)), 403),
    },
    {
      name: 'gateway-other-host-https',
      title: 'an unknown host name gets 403 over HTTPS',
      chinese: '未知域名通过 HTTPS 访问得到 403',
      run: async (target) =>
        expectStatus(
          await exchange(`${originOf(target.site, stranger)}/`, viaGateway(target)),
          403,
        ),
    },
    {
      name: 'certificate',
      title: 'the certificate covers every host name and is not expired',
      chinese: '证书覆盖所有域名，且未过期',
      lookAt: {
        en: 'sudo landfall tls status; DNS must point to this server before an authority issues a certificate',
        zh: 'sudo landfall tls status；域名解析到这台服务器之后，颁发机构才会签发证书',
      },
      notFor: noPages,
      run: async (target) => {
        for (const host of gatewayHosts(target)) {
          const { https } = target.gatewayPorts ?? publicPorts(target.site);
          checkCertificate(await peerCertificate(target.gateway, https, host), host);
        }
      },
    },
  ],
  noTls,
);

/** @throws Error when a certificate does not cover a host or is not valid now */
export function checkCertificate(certificate: X509Certificate, host: string): void {
  const covered = isIP(host)
    ? certificate.checkIP(host)
    : certificate.checkHost(host, { subject: 'never' });
  if (!covered) {
    throw new Error(
      inLanguage({
        en: `the certificate for ${host} covers ${certificate.subjectAltName ?? 'no name'}`,
        zh: `${host} 的证书只覆盖 ${certificate.subjectAltName ?? '空名称'}`,
      }),
    );
  }
  const now = new Date();
  if (now < certificate.validFromDate || now > certificate.validToDate) {
    throw new Error(
      inLanguage({
        en: `valid from ${certificate.validFrom} to ${certificate.validTo}`,
        zh: `有效期从 ${certificate.validFrom} 到 ${certificate.validTo}`,
      }),
    );
  }
}

const timeout = 20_000;

/** Returns the certificate that a server presents for a host. @throws Error when there is none */
export async function peerCertificate(
  address: string,
  port: number,
  host: string,
): Promise<X509Certificate> {
  return await new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: address, port },
      ...anyCertificate,
      // SNI does not allow addresses (RFC 6066, 3).
      ...(isIP(host) ? {} : { servername: host }),
    });
    socket.setTimeout(timeout, () =>
      socket.destroy(new Error(inLanguage({ en: 'the connection timed out', zh: '连接超时' }))),
    );
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.end();
      if (certificate) resolve(certificate);
      else
        reject(
          new Error(
            inLanguage({ en: 'the server presents no certificate', zh: '服务器没有提供证书' }),
          ),
        );
    });
  });
}
