import type { Component } from '#contract/component.ts';
import { componentNames, componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo } from '#contract/site/endpoints.ts';
import type { Text } from '#contract/text/language.ts';
import type { StackInput } from '../stack-input.ts';
import { publicUrlOf, tunnelBlocks } from './addresses.ts';
import { hostedBlocks, modelBlocks } from './models.ts';
import { bodyOf, type WritePage } from './page.ts';

const howToSignIn: Readonly<Record<NonNullable<Component['page']>['access'], Text>> = {
  account: {
    en: 'Sign in with your email address and password. The administrator creates the accounts; sign-up is disabled. `sudo landfall credentials` shows the email address and the password of the administrator.',
    zh: '用邮箱地址和密码登录。账号由管理员创建，不开放注册。管理员自己的邮箱和密码用 `sudo landfall credentials` 查看。',
  },
  'access-code': {
    en: 'It requires an access code, which the administrator prints with `sudo landfall credentials`.',
    zh: '需要访问码，由管理员用 `sudo landfall credentials` 查看。',
  },
};

/** Writes the page about the chat UIs. */
export const chatPage: WritePage = (input) => ({
  name: 'chat',
  title: { en: 'Chat in the browser', zh: '在浏览器中聊天' },
  summary: {
    en: 'The addresses of the chat pages, and how to sign in.',
    zh: '聊天页面的地址和登录方式。',
  },
  body: bodyOf(...componentNames.flatMap((name) => blocksOf(input, name))),
});

function blocksOf(input: StackInput, name: ComponentName): (Text | string)[] {
  const { site, models } = input;
  const { page } = componentOf(name);
  if (!page || !isEnabled(site, name)) return [];
  const outside = publicUrlOf(input, name);
  const url = outside ?? tunnelTo(site, name)?.url;
  return [
    { en: `## ${page.heading.en}`, zh: `## ${page.heading.zh}` },
    ...(outside === undefined ? tunnelBlocks(input, name) : []),
    { en: `Open [${url}](${url}).`, zh: `打开 [${url}](${url})。` },
    howToSignIn[page.access],
    ...(name === 'ui' ? [...modelBlocks(models), ...hostedBlocks(site)] : []),
  ];
}
