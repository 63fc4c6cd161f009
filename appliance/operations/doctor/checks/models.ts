import { providerKeyName } from '#contract/site/key-names.ts';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import { isKeyless } from '#contract/site/providers/provider-api.ts';
import { tryProviderKey, unlistedModels } from '#smoke/cases/relay-requests.ts';
import { pullSources } from '../../../stages/models/fetch-model.ts';
import { chosenStates, lacksModel } from '../../../stages/models/public.ts';
import { reach } from '../../../stages/route/reach.ts';
import { readSecrets } from '../../../stages/secrets/secret-values.ts';
import { serverTarget } from '../../../stages/smoke/target.ts';
import { type Finding, siteCheck, stageFix } from '../finding.ts';

/** Milliseconds. */
const limit = 12_000;

/** Reports models of this server that are missing, and whether their registry can be reached. */
export const modelsCheck = siteCheck({ name: 'models', root: true }, async (context) => {
  const { host, site } = context;
  const missing = (await chosenStates(context)).filter(({ present }) => !present);
  const mirror = parseModelMirror(site.mirrors.models ?? '');
  return await Promise.all(
    missing.map(async ({ model, name, carried }) => {
      const fix = stageFix('models');
      const found = { subject: model.name, fix } as const;
      const text = {
        en: `the model ${model.name} is not installed`,
        zh: `模型 ${model.name} 没有安装`,
      };
      if (carried) return { code: 'MODEL_MISSING', text, ...found } as const;
      const urls = pullSources(name, mirror).map(
        ({ host: registry, insecure }) => `${insecure ? 'http' : 'https'}://${registry}/v2/`,
      );
      const reached = await host.outside.measure(() => reach(site, urls, limit));
      const failures = reached.flatMap(({ failure }) => (failure ? [failure.message] : []));
      if (failures.length < reached.length) return { code: 'MODEL_MISSING', text, ...found };
      return {
        code: 'MODEL_PULL_TIMEOUT',
        text: {
          en: `${text.en}, and no source of it can be reached`,
          zh: `${text.zh}，它的下载源也都无法访问`,
        },
        details: failures,
        ...found,
      } as const;
    }),
  );
});

/** Reports a chat without any model, such as on a server with 2 GB and without a provider. */
export const chatModelCheck = siteCheck({ name: 'chat-model', root: true }, async (context) => {
  if (!(await lacksModel(context))) return [];
  const text = {
    en: 'the chat has no model: none of the release fits, and the site has no provider',
    zh: '聊天没有模型：这台服务器装不下版本中的模型，站点也没有模型服务商',
  };
  return [{ code: 'CHAT_NO_MODEL', subject: 'chat', text }];
});

/** Reports providers of the site without a key, whose key is rejected, or that lack a model of the site. */
export const providerKeysCheck = siteCheck(
  { name: 'provider-keys', root: true },
  async (context) => {
    const secrets = await readSecrets(context.host, context.site);
    const providers = Object.entries(context.site.providers);
    if (providers.length === 0) return [];
    const target = await serverTarget(context);
    const found = await Promise.all(
      providers.map(async ([provider, settings]): Promise<Finding[]> => {
        const name = providerKeyName(provider);
        if (!secrets[name]) {
          if (isKeyless(settings)) return [];
          const text = {
            en: `the provider ${provider} has no key: ${name} is not set`,
            zh: `模型服务商 ${provider} 没有密钥：${name} 没有设置`,
          };
          return [{ code: 'PROVIDER_KEY_MISSING', subject: provider, text }];
        }
        if ((await tryProviderKey(target, provider)) !== 'refused') {
          return (await unlistedModels(target, provider)).map((model) => ({
            code: 'PROVIDER_MODEL_UNKNOWN',
            subject: provider,
            text: {
              en: `the model ${model} is not in the list of the provider ${provider}`,
              zh: `模型服务商 ${provider} 的列表中没有模型 ${model}`,
            },
          }));
        }
        const text = {
          en: `the provider ${provider} rejects the key in ${name}`,
          zh: `模型服务商 ${provider} 拒绝 ${name} 中的密钥`,
        };
        return [{ code: 'PROVIDER_KEY_REFUSED', subject: provider, text }];
      }),
    );
    return found.flat();
  },
);
