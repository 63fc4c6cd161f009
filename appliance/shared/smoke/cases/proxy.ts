import { request } from 'node:http';
import { inLanguage } from '#contract/text/language.ts';
import { insideOf, insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { statusOf } from '../web-socket.ts';

const timeout = 20_000;
/** The metadata endpoint of cloud providers, which only the server may read. */
const metadata = '169.254.169.254:443';
const proxyAuthenticationRequired = 407;

const openProxy = (target: SmokeTarget) =>
  insideOnly(target) ??
  (target.site.tinyproxy.open
    ? inLanguage({ en: 'the site configures it without credentials', zh: '站点设置它不需要凭据' })
    : undefined);

export const proxyTests = testsOf(
  'tinyproxy',
  [
    {
      name: 'proxy-credentials',
      title: 'the proxy rejects requests without credentials',
      chinese: '代理拒绝没有凭据的请求',
      isUnsafe: true,
      notFor: openProxy,
      run: async (target) => {
        const status = await connectThrough(target, 'api.openai.com:443');
        if (status === proxyAuthenticationRequired || status === 401) return;
        throw new Error(
          inLanguage({
            en: `status ${status} instead of ${proxyAuthenticationRequired}`,
            zh: `状态为 ${status}，应为 ${proxyAuthenticationRequired}`,
          }),
        );
      },
    },
    {
      name: 'proxy-metadata',
      title: "the proxy blocks the cloud's metadata endpoint",
      chinese: '代理屏蔽云服务商的元数据地址',
      run: async (target) => {
        const { TINYPROXY_USERNAME = '', TINYPROXY_PASSWORD = '' } = insideOf(target).secrets;
        const user = target.site.tinyproxy.username || TINYPROXY_USERNAME;
        const status = await connectThrough(target, metadata, `${user}:${TINYPROXY_PASSWORD}`);
        if (status < 400 || status === proxyAuthenticationRequired || status === 401) {
          throw new Error(
            inLanguage({
              en: `status ${status} instead of a rejection of the destination`,
              zh: `状态为 ${status}，应拒绝这个目标`,
            }),
          );
        }
      },
    },
  ],
  insideOnly,
);

/** Returns the proxy's response status to CONNECT (RFC 9110, 9.3.6). */
async function connectThrough(
  target: SmokeTarget,
  destination: string,
  credentials?: string,
): Promise<number> {
  const { host, port } = insideOf(target).proxy;
  const encoded = credentials ? Buffer.from(credentials).toString('base64') : undefined;
  return await statusOf(
    request({
      ...{ host, port, method: 'CONNECT', path: destination, timeout },
      headers: encoded ? { 'proxy-authorization': `Basic ${encoded}` } : {},
    }),
  );
}
