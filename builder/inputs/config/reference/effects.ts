import { componentOf } from '#contract/component-names.ts';
import { inLanguage, type Language } from '#contract/text/language.ts';
import { effectOf, siteEffects } from '#explain/site-effects.ts';
import { withGenerated } from './markers.ts';

/**
 * Returns a document with its table of what a change of each field does on a running server replaced.
 * @throws Error when the document has no markers
 */
export function withEffectTable(document: string, language: Language): string {
  const { head, empty, separator } = words[language];
  const rows = Object.keys(siteEffects).map(
    (field) => `| \`${field}\` | ${describeEffect(field, language).join(separator) || empty} |`,
  );
  return withGenerated(document, 'effects', [head, '|---|---|', ...rows].join('\n'));
}

function describeEffect(field: string, language: Language): string[] {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const { instead, restarts, confirms } = effectOf(field);
  if (instead) {
    const text = inLanguage(instead, language);
    return [say(`only for a new server. ${text}`, `仅用于新服务器。${text}`)];
  }
  const products = restarts.map((name) =>
    name === 'relay' ? say('the relay', '中继') : componentOf(name).product,
  );
  const names = products.join(say(', ', '、'));
  return [
    ...(names === ''
      ? []
      : [
          say(
            `can restart ${names}`,
            `可能重启${/^\p{Script=Han}/u.test(names) ? '' : ' '}${names}`,
          ),
        ]),
    ...(confirms
      ? [say('a new login must confirm it', '需要用新的登录执行 `sudo landfall confirm`')]
      : []),
  ];
}

const words = {
  en: { head: '| field | a change |', empty: 'at once; restarts nothing', separator: '; ' },
  zh: { head: '| 字段 | 更改的影响 |', empty: '立即生效，不重启任何组件', separator: '；' },
} as const;
