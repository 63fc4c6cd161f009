import { stringify } from 'yaml';
import { siteSchema } from '#contract/site/site.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import { commentOf } from './site-notes.ts';

/** Returns a text as comment lines of YAML, in the language of the site. */
export function commentLines(text: Text, language: Language = 'en'): string {
  return inLanguage(text, language).replaceAll(/^/gm, '# ');
}

const serverHead: Text = {
  en: `The settings of this server. Change them here and run \`sudo landfall site apply\`, or use
\`sudo landfall site edit\`. They must not contain secrets: set those with \`sudo landfall secret set\`.
\`sudo landfall site fields\` prints all fields, and what a change of each of them does.`,
  zh: `这台服务器的设置。在这里更改后运行 \`sudo landfall site apply\`，或使用 \`sudo landfall site edit\`。
不要写入机密：机密用 \`sudo landfall secret set\` 设置。
\`sudo landfall site fields\` 列出全部字段，以及更改各字段的影响。`,
};

/**
 * Renders a site as site.yaml with comments, for a server that has only its JSON.
 * @param fields a site without the fields that equal their defaults
 * @param head the comment at the start
 */
export function siteText(
  fields: Readonly<Record<string, unknown>>,
  head: Text = serverHead,
): string {
  const language = fields.language === 'zh' ? 'zh' : 'en';
  const sections = siteSchema
    .keyof()
    .options.filter((name) => fields[name] !== undefined)
    .map((name) => {
      const above = commentLines(commentOf(name), language);
      return `${above}\n${stringify({ [name]: fields[name] }, { lineWidth: 0 })}`;
    });
  return `${commentLines(head, language)}\n\n${sections.join('\n')}`;
}
