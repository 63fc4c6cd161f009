import { componentOf } from '#contract/component-names.ts';
import { inLanguage, type Language } from '#contract/text/language.ts';
import { effectOf } from './site-notes.ts';

/** Returns what a change of a field does, as Markdown without a full stop. @throws Error as {@link effectOf} */
export function describeEffect(field: string, language: Language): string {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const { instead, restarts, confirms } = effectOf(field);
  if (instead) {
    const text = inLanguage(instead, language).replace(/[.\u3002]$/, '');
    return say(`only for a new server. ${text}`, `仅用于新服务器。${text}`);
  }
  const products = restarts.map((name) =>
    name === 'relay' ? say('the relay', '中继') : componentOf(name).product,
  );
  const names = products.join(say(', ', '、'));
  const space = /^\p{Script=Han}/u.test(names) ? '' : ' ';
  const effects = [
    ...(names === '' ? [] : [say(`can restart ${names}`, `可能重启${space}${names}`)]),
    ...(confirms
      ? [say('a new login must confirm it', '需要用新的登录执行 `sudo landfall confirm`')]
      : []),
  ];
  return (
    effects.join(say('; ', '；')) || say('at once; restarts nothing', '立即生效，不重启任何组件')
  );
}
