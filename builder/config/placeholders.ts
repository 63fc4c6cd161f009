import type { Problem } from '#contract/errors.ts';
import { nameOf } from '#explain/field-name.ts';
import type { YamlFile } from '#yaml/parse.ts';

/** `<DOMAIN>`, `{mirror_url}`, `CHANGE_ME`: placeholders of templates. */
const placeholder =
  /<[A-Za-z][\w .-]*>|\{\{? ?[A-Za-z][\w .-]*\}?\}|\b(?:CHANGE|REPLACE|FILL)[_-]?ME\b/i;
/** Only in upper case: in lower case it may be part of a name. */
const replaceWord = /\bREPLACE\b/;

/** Returns a problem for each value with a placeholder. */
export function findPlaceholders(file: YamlFile): Problem[] {
  return [...textsIn(file.value, [])].flatMap(({ at, text }) => {
    const found = (placeholder.exec(text) ?? replaceWord.exec(text))?.[0];
    if (!found) return [];
    return [
      {
        message: `${nameOf(at)} contains the placeholder ${found}`,
        hint: 'Replace it with your own value, or remove the key.',
        file: file.path,
        ...file.locate(at),
      },
    ];
  });
}

function* textsIn(
  value: unknown,
  at: ReadonlyArray<string | number>,
): Generator<{ at: ReadonlyArray<string | number>; text: string }> {
  if (typeof value === 'string') yield { at, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* textsIn(inner, [...at, Array.isArray(value) ? Number(key) : key]);
  }
}
