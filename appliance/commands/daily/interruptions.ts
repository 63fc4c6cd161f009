import { componentNames, componentOf } from '#contract/component-names.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';

/**
 * Returns what is interrupted, for a question.
 * @param name a service of `compose.yaml`, also of a stack other than Landfall's; undefined: all
 * @param lasts until the component runs again, or until it is started by a command
 */
export function interruptionOf(name: string | undefined, lasts: 'seconds' | 'stopped'): string {
  const long = {
    seconds: { en: 'for some seconds', zh: '持续数秒' },
    stopped: { en: 'until it is started again', zh: '直到重新启动它' },
  }[lasts];
  const what = whatOf(name);
  return inLanguage({ en: `${what.en} (${long.en})`, zh: `${what.zh}（${long.zh}）` });
}

function whatOf(name: string | undefined): Text {
  if (name === undefined) {
    return {
      en: 'the chat, the models and all pages of this server are interrupted',
      zh: '这台服务器的聊天、模型和所有页面都会中断',
    };
  }
  const known = componentNames.find((each) => each === name);
  const { interruption, product = name } = known ? componentOf(known) : {};
  return interruption ?? { en: `${product} is interrupted`, zh: `${product} 中断` };
}
