import type { Problem } from '#contract/errors.ts';
import { nameOf } from './field-name.ts';
import type { YamlFile } from './yaml/parse.ts';

/** `<DOMAIN>`, `{mirror_url}`, `CHANGE_ME`: what templates leave for a person to fill in. */
const placeholder =
  /<[A-Za-z][\w .-]*>|\{\{? ?[A-Za-z][\w .-]*\}?\}|\b(?:CHANGE|REPLACE|FILL)[_-]?ME\b/i;
/** In capitals only: in lower case it is a word that a name may have. */
const replaceWord = /\bREPLACE\b/;

/** Every value that still holds a placeholder, with its place. */
export function findPlaceholders(file: YamlFile): Problem[] {
  return [...textsIn(file.value, [])].flatMap(({ at, text }) => {
    const found = (placeholder.exec(text) ?? replaceWord.exec(text))?.[0];
    if (!found) return [];
    return [
      {
        message: `${nameOf(at)} still says ${found}`,
        hint: 'Put your own value there, or remove the key if it is not needed.',
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
