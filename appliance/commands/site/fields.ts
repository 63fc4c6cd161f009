import { LandfallError } from '#contract/errors.ts';
import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { describeEffect } from '#explain/describe-effect.ts';
import { nearest } from '#explain/nearest.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import { type SiteField, siteFields } from '../../stages/stack/pages/site-fields.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Prints the sections of site.yaml, or a field with all below it: values, defaults, meanings, and what a change does.
 * @throws LandfallError USAGE for an unknown field
 */
export function showFields(name: string | undefined, json = false): void {
  const fields = siteFields[currentLanguage()];
  const chosen = name === undefined ? fields : fieldsBelow(fields, name);
  if (json) console.log(JSON.stringify(chosen, null, 2));
  else if (name === undefined) console.log(describeSections(fields));
  else console.log(chosen.map(describeField).join('\n\n'));
}

/** Returns a field and those below it. Entries of lists and keys may be left out: `providers.base_url`. */
function fieldsBelow(fields: readonly SiteField[], name: string): readonly SiteField[] {
  const wanted = plain(name);
  const found = fields.filter((field) => `${plain(field.name)}.`.startsWith(`${wanted}.`));
  if (found.length > 0) return found;
  const near = nearest(
    wanted,
    fields.map((field) => plain(field.name)),
  );
  const text = JSON.stringify(name.slice(0, 100));
  throw new LandfallError('USAGE', `site.yaml has no field ${text}`, {
    hint: near ? `Did you mean ${near}?` : 'List the fields with `sudo landfall site fields`.',
  });
}

/** `alerts[0].kind` and `alerts[].kind` are `alerts.kind`. */
function plain(name: string): string {
  return name.replaceAll(/\[\d*\]|\.<name>/g, '');
}

function describeSections(fields: readonly SiteField[]): string {
  const sections = fields.filter(({ name }) => !/[.[]/.test(name));
  const rows = sections.map(({ name, meaning }) => [name, meaning]);
  const next = say(
    'All fields of a section: sudo landfall site fields tls',
    '查看一个小节的全部字段：sudo landfall site fields tls',
  );
  return [...alignRows(rows), '', next].join('\n');
}

function describeField({ name, type, default: preset, meaning }: SiteField): string {
  const effect = describeEffect(plain(name), currentLanguage());
  // In Markdown, values are code.
  const kind = [type, preset].filter((text) => text !== '').join('; ');
  const change = say(`A change: ${effect}.`, `更改：${effect}。`);
  const lines = [kind.replaceAll('`', ''), meaning, change];
  return [name, ...lines.map((line) => wrapFor(process.stdout, `  ${line}`))].join('\n');
}
