import type { Client, ClientApi } from '#clients/client.ts';
import { apiTitles } from '#clients/client-document.ts';
import { clients } from '#clients/clients.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';

/** Returns the error for a site without a relay. */
export function noRelay(): LandfallError {
  return usage(
    { en: 'the site has no relay', zh: '站点没有启用中继' },
    {
      en: 'For the models of this server, run `sudo landfall site set relay.local true`. relay.md of the documentation shows how to add a provider.',
      zh: '要使用这台服务器的模型，请运行 `sudo landfall site set relay.local true`。接入模型服务商的方法见 Landfall 文档 relay.md。',
    },
  );
}

/** Returns the error for a client none of whose APIs is served to the key. */
export function noApi({ title, variants }: Client, wanted: ClientApi | undefined): LandfallError {
  const apis = variants.map(({ api }) => api);
  if (wanted !== undefined && !apis.includes(wanted)) {
    return usage(
      {
        en: `${title.en} does not use ${apiTitles[wanted]}'s API`,
        zh: `${title.zh}不使用 ${apiTitles[wanted]} 的 API`,
      },
      { en: `Choose from: ${apis.join(', ')}.`, zh: `可选：${apis.join('、')}。` },
    );
  }
  const names = (wanted === undefined ? apis : [wanted]).map((api) => apiTitles[api]);
  return usage(
    {
      en: `the relay does not serve an API that ${title.en} uses to this key: ${names.join(', ')}`,
      zh: `中继没有向这个密钥提供 ${title.zh} 使用的 API：${names.join('、')}`,
    },
    {
      en: 'Add a provider with this API, see relay.md of the documentation, or use another key.',
      zh: '请添加提供这种 API 的模型服务商（见 Landfall 文档 relay.md），或使用其他密钥。',
    },
  );
}

/** Returns the error for a key that would have to be made with `--json`. */
export function noKey(name: string): LandfallError {
  return usage(
    { en: `the site has no relay key ${name}`, zh: `站点没有中继密钥 ${name}` },
    {
      en: `Run \`sudo landfall relay key add ${name}\` first, or leave out --json.`,
      zh: `先运行 \`sudo landfall relay key add ${name}\`，或去掉 --json。`,
    },
  );
}

/** Returns the error for limits of a key that exists. */
export function hasLimits(name: string): LandfallError {
  return usage(
    {
      en: `the site already has the relay key ${name}, so --budget has no effect`,
      zh: `站点已有中继密钥 ${name}，--budget 不起作用`,
    },
    {
      en: 'Change its limits with `sudo landfall site edit`, or name another key with --key.',
      zh: '用 `sudo landfall site edit` 修改它的限额，或用 --key 指定其他密钥。',
    },
  );
}

/** Returns the error for a client without a link. */
export function noLink({ title }: Client): LandfallError {
  const names = clients.flatMap(({ id, link }) => (link ? [id] : []));
  return usage(
    { en: `${title.en} has no documented link`, zh: `${title.zh} 没有公开的链接格式` },
    {
      en: `--qr works with: ${names.join(', ')}.`,
      zh: `支持 --qr 的客户端：${names.join('、')}。`,
    },
  );
}

function usage(message: Text, hint: Text): LandfallError {
  return new LandfallError('USAGE', inLanguage(message), { hint });
}

/** Returns the error for a key of the site that the server has not generated yet. */
export function notGenerated(name: string): LandfallError {
  return usage(
    { en: `the relay key ${name} is not generated yet`, zh: `中继密钥 ${name} 尚未生成` },
    { en: 'Run `sudo landfall first-boot`.', zh: '运行 `sudo landfall first-boot`。' },
  );
}
