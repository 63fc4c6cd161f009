import type { Client, ClientApi } from '#clients/client.ts';
import { clients, findClient } from '#clients/clients.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { relayKeyName } from '#contract/site/key-names.ts';
import { clientOf } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  apiOf,
  type ClientChoice,
  lacksForAgents,
} from '../../stages/stack/components/relay/client-api.ts';
import { hasLimits, noApi, noKey, noLink, noRelay, notGenerated } from './client-errors.ts';
import { type ClientSettings, clientJson, describeClient, listClients } from './describe-client.ts';
import { type KeyOptions, makeKey, requireTerminal } from './key.ts';

export interface ClientFlags {
  readonly key?: string;
  readonly budget?: Pick<KeyOptions, 'tokensPerDay' | 'tokensPerMonth'>;
  readonly model?: string;
  readonly api?: ClientApi;
  readonly qr?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/**
 * Prints what to paste into a client of the relay. Makes its relay key if the site does not have it.
 * @param name of the client; undefined: prints the list
 * @throws LandfallError USAGE for an unknown client, a site without a relay, an API that the site does not
 *   serve, and limits of a key that exists; those of `changeFields`
 */
export async function showClient(
  facts: Facts,
  name: string | undefined,
  flags: ClientFlags,
): Promise<void> {
  if (name === undefined) {
    console.log(listClients());
    return;
  }
  const client = findClient(name);
  if (flags.qr && !client.link) throw noLink(client);
  if (!flags.json) requireTerminal();
  if (!isEnabled(facts.site, 'relay')) throw noRelay();
  // Before a key is made that would be of no use.
  chooseApi(client, facts, flags);
  const keyName = flags.key ?? client.id;
  const key = await keyOf(facts, keyName, flags);
  // The answer was no.
  if (key === undefined) return;
  const settings = await settingsOf(client, facts, { ...flags, keyName, key });
  console.log(flags.json ? clientJson(settings) : describeClient(settings));
  if (flags.qr && client.link) {
    const { renderUnicodeCompact } = await import('uqr');
    const link = client.link(settings);
    console.log(`\n${link}\n\n${renderUnicodeCompact(link, { border: 2 })}`);
  }
}

async function settingsOf(
  client: Client,
  facts: Facts,
  { keyName, key, ...flags }: ClientFlags & { readonly keyName: string; readonly key: string },
): Promise<ClientSettings> {
  const { site } = facts;
  const { api, suffix, served } = chooseApi(client, facts, { ...flags, key: keyName });
  const { model = 'MODEL', context } = served;
  const warnings = [
    ...(model === 'MODEL' ? [unknownModel(served.root)] : []),
    ...(context !== undefined && client.needsTools ? await agentWarnings(facts, model) : []),
    ...sharedKey(client, keyName),
    ...untrusted(site),
  ];
  return {
    ...{ client, api, keyName, key, model, context, base: `${served.root}${suffix}` },
    tunnel: urlOf(site, 'relay') === undefined ? tunnelTo(site, 'relay').command : undefined,
    warnings: warnings.map((text) => inLanguage(text, flags.json ? 'en' : undefined)),
  };
}

/** Returns the preferred API of a client that the relay serves to a key. @throws LandfallError USAGE */
function chooseApi(
  client: Client,
  facts: Facts,
  wanted: Parameters<typeof apiOf>[2],
): ClientChoice {
  const found = apiOf(client, facts, wanted);
  if (found) return found;
  throw noApi(client, wanted?.api);
}

/** Returns a relay key, which is made if the site does not have it; undefined after an answer of no. */
async function keyOf(
  facts: Facts,
  name: string,
  { budget, json, yes = false }: ClientFlags,
): Promise<string | undefined> {
  const { host, site } = facts;
  const exists = name === 'owner' || site.relay.keys.some((each) => clientOf(each) === name);
  if (!exists) {
    if (json) throw noKey(name);
    await makeKey(facts, name, { ...budget, yes });
    return await readSecret(host, relayKeyName(name));
  }
  if (budget) throw hasLimits(name);
  const key = await readSecret(host, relayKeyName(name));
  if (key !== undefined) return key;
  throw notGenerated(name);
}

/** Returns what a local model lacks for an agent, with what to do. */
async function agentWarnings(facts: Facts, model: string): Promise<Text[]> {
  const { context, tools } = await lacksForAgents(facts, model);
  return [
    ...(context
      ? [
          {
            en: `${context.en}. Set \`context\` in the site; \`sudo landfall models fit --context 65536\` shows which models have it.`,
            zh: `${context.zh}。请在站点中设置 \`context\`；\`sudo landfall models fit --context 65536\` 显示哪些模型可以。`,
          },
        ]
      : []),
    ...(tools
      ? [
          {
            en: `${tools.en}. Choose another with --model.`,
            zh: `${tools.zh}。请用 --model 选择其他模型。`,
          },
        ]
      : []),
  ];
}

function unknownModel(root: string): Text {
  return {
    en: `replace MODEL by a model of the provider; ${root}/v1/models lists them for the key.`,
    zh: `请把 MODEL 换成模型服务商的模型；${root}/v1/models 列出这个密钥可用的模型。`,
  };
}

/** A key that has the name of another client is likely in use there. */
function sharedKey({ id }: Client, keyName: string): Text[] {
  if (keyName === id || !clients.some((each) => each.id === keyName)) return [];
  return [
    {
      en: `the relay key ${keyName} has the name of another client. Two clients with one key share its limits, and lose it together.`,
      zh: `中继密钥 ${keyName} 用的是另一个客户端的名称。两个客户端共用一个密钥，也就共用限额，并且会同时失效。`,
    },
  ];
}

function untrusted({ tls, hosts }: Site): Text[] {
  if (hosts.relay === undefined || (tls.mode !== 'internal' && tls.mode !== 'acme-staging')) {
    return [];
  }
  return [
    {
      en: `clients reject the certificate of this server, because tls.mode is ${tls.mode}.`,
      zh: `tls.mode 是 ${tls.mode}，客户端会拒绝这台服务器的证书。`,
    },
  ];
}
