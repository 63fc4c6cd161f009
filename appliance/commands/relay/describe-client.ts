import type { Client, ClientApi, Values } from '#clients/client.ts';
import { clients } from '#clients/clients.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { wrapFor } from '#terminal/wrap-for.ts';

/** The settings of a client on this server. */
export interface ClientSettings extends Values {
  readonly client: Client;
  readonly api: ClientApi;
  /** Name of the relay key. */
  readonly keyName: string;
  /** The command of a tunnel, if the relay has no host name. */
  readonly tunnel: string | undefined;
  /** What an administrator must know, in the language of this process. */
  readonly warnings: readonly string[];
}

/** Returns one line per client. */
export function listClients(): string {
  const head = [say('NAME', '名称'), say('CLIENT', '客户端'), say('TRIED', '已测试')];
  const rows = clients.map(({ id, title, evidence }) => [
    id,
    inLanguage(title),
    'tried' in evidence ? say('yes', '是') : say('no', '否'),
  ]);
  return [
    formatTable([head, ...rows]),
    say(
      'Its settings, with a relay key: sudo landfall relay client <name>. The versions are in clients.md of the documentation.',
      '显示配置和中继密钥：sudo landfall relay client <名称>。测试的版本见 Landfall 文档 clients.md。',
    ),
  ].join('\n\n');
}

/** Returns what to paste into a client, and what to know of it. */
export function describeClient(settings: ClientSettings): string {
  const { client, keyName, key, base, model, tunnel, warnings } = settings;
  const title = inLanguage(client.title);
  const facts = [
    [say('  base URL', '  接口地址'), base],
    [say(`  relay key ${keyName}`, `  中继密钥 ${keyName}`), key],
    [say('  model', '  模型'), model],
  ];
  return [
    say(`Settings of ${title}:`, `${title} 的设置：`),
    formatTable(facts),
    ...(tunnel === undefined
      ? []
      : [say('On your computer, keep a tunnel open:', '在您的电脑上保持隧道打开：'), tunnel]),
    ...partsOf(settings).map(({ label, text }) => (label === '' ? text : `${label}\n\n${text}`)),
    ...client.notes.map((note) => wrapFor(process.stdout, plain(inLanguage(note)))),
    ...warnings.map((warning) =>
      wrapFor(process.stdout, `${say('Warning: ', '警告：')}${warning}`),
    ),
  ].join('\n\n');
}

/** Returns the settings as one JSON object, in English. */
export function clientJson(settings: ClientSettings): string {
  const { client, api, keyName, key, base, model, tunnel = null, warnings } = settings;
  const { id, title, evidence, link } = client;
  return JSON.stringify(
    {
      ...{ client: id, title: title.en, api, base_url: base, model },
      ...{ key_name: keyName, key, tunnel },
      parts: partsOf(settings).map(({ file, text }) => ({ file, text })),
      notes: client.notes.map(({ en }) => plain(en)),
      ...{ warnings, evidence, link: link?.(settings) ?? null },
    },
    null,
    2,
  );
}

interface ShownPart {
  readonly file: string | null;
  readonly label: string;
  readonly text: string;
}

function partsOf(settings: ClientSettings): ShownPart[] {
  const variant = settings.client.variants.find(({ api }) => api === settings.api);
  const parts = (variant?.parts ?? []).map((part) => {
    if ('steps' in part) {
      return { file: null, label: '', text: plain(inLanguage(part.steps(settings))) };
    }
    const file = part.file === undefined ? null : plain(inLanguage(part.file));
    const label = file === null ? '' : say(`In ${file}:`, `写入 ${file}：`);
    return { file, label, text: part.lines(settings) };
  });
  return parts.filter(({ text }) => text !== '');
}

/** Returns a text without the marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll(/\*([^*]+)\*/g, '$1');
}
