import { inLanguage, type Language } from '#contract/text/language.ts';
import { describeEffect } from '#explain/describe-effect.ts';
import { fieldsWithEffect } from '#explain/site-notes.ts';
import { bodyOf, type Page, type WritePage } from './page.ts';
import { type SiteField, siteFields } from './site-fields.ts';

/** The page with every field of site.yaml, for the administrator. It is the same on every server. */
const page: Page = {
  name: 'site',
  title: { en: 'Settings of this server', zh: '服务器的设置' },
  summary: {
    en: 'Every field of site.yaml, and what a change of it does. For the administrator.',
    zh: 'site.yaml 的全部字段及更改的影响，供管理员查阅。',
  },
  body: bodyOf(
    {
      en: 'Change a field with `sudo landfall site set <field> <value>`, or the whole file with `sudo landfall site edit`. `sudo landfall site fields` prints this reference.',
      zh: '用 `sudo landfall site set <字段> <值>` 更改一个字段，或用 `sudo landfall site edit` 编辑整个文件。`sudo landfall site fields` 输出本参考。',
    },
    { en: listIn('en'), zh: listIn('zh') },
  ),
};

export const sitePage: WritePage = () => page;

function listIn(language: Language): string {
  return siteFields[language]
    .map((field) => {
      const isSection = !/[.[]/.test(field.name);
      return `${isSection ? `\n## \`${field.name}\`\n\n` : ''}- ${itemOf(field, language)}`;
    })
    .join('\n')
    .trim();
}

function itemOf({ name, type, default: preset, meaning }: SiteField, language: Language): string {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const kind = [type, preset].filter((text) => text !== '').join('; ');
  const effect = fieldsWithEffect.includes(name) ? describeEffect(name, language) : '';
  const change = effect && say(` A change: ${effect}.`, ` 更改：${effect}。`);
  return `${say(`\`${name}\` (${kind}): `, `\`${name}\`（${kind}）：`)}${meaning}${change}`;
}
