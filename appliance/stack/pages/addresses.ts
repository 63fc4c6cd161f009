import type { ComponentName } from '#contract/components.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import type { Text } from '#contract/text/language.ts';
import { isPublic } from '../../host/outside/addresses.ts';
import type { StackInput } from '../stack-input.ts';
import { code } from './page.ts';

/** Returns the public URL of a component; undefined if it has none or its address is unknown. */
export function publicUrlOf({ site, server }: StackInput, name: ComponentName): string | undefined {
  return urlOf(site, name, server.addresses?.find(isPublic));
}

/** Returns the blocks that explain how to open the SSH tunnel to a component; empty without a port. */
export function tunnelBlocks({ site }: StackInput, name: ComponentName): (Text | string)[] {
  const { command } = tunnelTo(site, name) ?? {};
  if (command === undefined) return [];
  const explained = [
    {
      placeholder: 'USER',
      en: '`USER` is your login on the server',
      zh: '`USER` 是您在服务器上的用户名',
    },
    { placeholder: 'SERVER', en: '`SERVER` is its address', zh: '`SERVER` 是服务器地址' },
  ].filter(({ placeholder }) => command.includes(placeholder));
  return [
    {
      en: 'Keep this SSH tunnel running on your computer:',
      zh: '在您的电脑上保持以下 SSH 隧道运行：',
    },
    code('sh', command),
    {
      en: `${explained.map(({ en }) => en).join(', ')}.`,
      zh: `${explained.map(({ zh }) => zh).join('，')}。`,
    },
  ];
}
