import type { Language } from '#contract/text/language.ts';
import { describeEffect } from '#explain/describe-effect.ts';
import { fieldsWithEffect } from '#explain/site-notes.ts';
import { withGenerated } from './markers.ts';

/**
 * Returns a document with its table of what a change of each field does on a running server replaced.
 * @throws Error when the document has no markers
 */
export function withEffectTable(document: string, language: Language): string {
  const rows = fieldsWithEffect.map(
    (field) => `| \`${field}\` | ${describeEffect(field, language)} |`,
  );
  return withGenerated(document, 'effects', [heads[language], '|---|---|', ...rows].join('\n'));
}

const heads = { en: '| field | a change |', zh: '| 字段 | 更改的影响 |' } as const;
