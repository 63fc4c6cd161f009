import type { ReleaseModel } from '#contract/bundle/release.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Text } from '#contract/text/language.ts';
import { type LocalModels, listedName } from '../local-models.ts';
import type { StackInput } from '../stack-input.ts';

const roles: Readonly<Record<ReleaseModel['role'], Text>> = {
  chat: { en: 'chat', zh: '聊天' },
  embedding: { en: 'document search', zh: '文档检索' },
};

/** Why a server has no chat model. */
const reasons: Readonly<Record<NonNullable<LocalModels['hostedOnly']>, Text>> = {
  'not-in-release': {
    en: 'This server has no local chat model: its release contains none.',
    zh: '本服务器没有本地聊天模型：此版本不包含聊天模型。',
  },
  'not-wanted': {
    en: 'This server has no local chat model: its site selects none.',
    zh: '本服务器没有本地聊天模型：站点配置未选择聊天模型。',
  },
  'too-small': {
    en: 'This server has no local chat model: none of its release fits the memory.',
    zh: '本服务器没有本地聊天模型：内存放不下此版本的任何聊天模型。',
  },
};

/** Returns the blocks that list the models of a server; empty if they are unknown. */
export function modelBlocks(models: LocalModels | undefined): Text[] {
  if (models === undefined) return [];
  const { hostedOnly } = models;
  const list = {
    en: models.models.map((model) => itemOf(model, 'en')).join('\n'),
    zh: models.models.map((model) => itemOf(model, 'zh')).join('\n'),
  };
  return [
    ...(hostedOnly ? [reasons[hostedOnly]] : []),
    ...(models.models.length > 0
      ? [{ en: 'Models of this server:', zh: '本服务器的模型：' }, list]
      : []),
  ];
}

/** Returns the block that names the providers whose models the chat UI lists; empty without any. */
export function hostedBlocks(site: StackInput['site']): Text[] {
  const providers = Object.keys(site.providers);
  if (providers.length === 0) return [];
  return [
    {
      en: `The chat also lists the hosted models of ${providers.join(', ')}, once the administrator has set the key.`,
      zh: `管理员设置密钥后，聊天页面还会列出 ${providers.join('、')} 的云端模型。`,
    },
  ];
}

function itemOf(model: ReleaseModel, language: keyof Text): string {
  const size = model.size === null ? [] : [formatBytes(model.size)];
  const details = [roles[model.role][language], ...size];
  return language === 'en'
    ? `- \`${listedName(model)}\`: ${details.join(', ')}`
    : `- \`${listedName(model)}\`：${details.join('，')}`;
}
