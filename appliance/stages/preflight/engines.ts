import type { Problem } from '#contract/errors.ts';
import { hostOf } from '#contract/site/engines/rules.ts';
import { inLanguage } from '#contract/text/language.ts';
import { publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Rejects nodes with an address of this server, which would get its own requests again. */
export async function checkEngineAddresses({
  host,
  site,
}: Pick<Context, 'host' | 'site'>): Promise<Problem[]> {
  const nodes = site.engines?.nodes ?? [];
  if (nodes.length === 0) return [];
  const own = await serverAddresses(host);
  const addresses = [await publicAddress(host, own), ...own.v4, ...own.v6];
  return nodes
    .filter(({ url }) => addresses.includes(hostOf(url)))
    .map(({ name, url }) => ({
      message: inLanguage({
        en: `the URL of the node ${name} is that of this server: ${url}`,
        zh: `节点 ${name} 的 URL 是这台服务器自己的：${url}`,
      }),
      hint: inLanguage({
        en: 'Use the address of the other server; engines.local sets whether this one answers too.',
        zh: '使用另一台服务器的地址；这台服务器是否也回答由 engines.local 决定。',
      }),
    }));
}
