import type { LandfallError, Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { currentLanguage, isChinese } from '#contract/text/language.ts';
import { nameOf } from '#explain/field-name.ts';
import { parseSite } from '#explain/parse-site.ts';
import { parseYaml } from '#yaml/parse.ts';
import { attempt } from '../outcome.ts';
import { chineseMeaningOf } from './fields.ts';

/** A problem with the field that it is about, such as `admin.ssh_keys[0]`; empty for the whole file. */
export interface FormProblem extends Problem {
  readonly field: string;
}

/** What the page knows about a text of site.yaml. */
export interface JudgedSite {
  /** The values as they were read; undefined if the text is not YAML. */
  readonly values: unknown;
  /** The valid site, with all defaults. */
  readonly site?: Site | undefined;
  /** Why the text is not valid as a whole: broken YAML, or secrets. */
  readonly error?: LandfallError | undefined;
  readonly problems: readonly FormProblem[];
}

/** Judges a text of site.yaml by the rules of `landfall user-data`, with a field for each problem. */
export function judgeSite(text: string, allowRoutePassword: boolean): JudgedSite {
  const read = attempt(() => parseYaml(encodeUtf8(text), 'site.yaml'));
  if (read.error) return { values: undefined, error: read.error, problems: [] };
  const { value: file } = read;
  const fields: string[] = [];
  // A form has no lines: the line of a problem is the number of its field.
  const locate = (at: ReadonlyArray<PropertyKey>) => {
    const name = at.length === 0 ? '' : nameOf(at);
    if (!fields.includes(name)) fields.push(name);
    return { line: fields.indexOf(name) + 1, column: 1 };
  };
  const parsed = attempt(() =>
    parseSite({ ...file, locate, locateKey: locate }, { allowRoutePassword }),
  );
  const problems = (parsed.error?.problems ?? []).map(
    ({ message, hint, line = 0 }): FormProblem => {
      const field = fields[line - 1] ?? '';
      return { message, hint: hint && hintFor(field, hint), field };
    },
  );
  const { value: site, error } = parsed;
  return { values: file.value, site, error, problems };
}

/** The hint of a missing field is its meaning, which the schema has in English only. */
function hintFor(field: string, hint: string): string {
  return currentLanguage() === 'zh' && !isChinese(hint) ? (chineseMeaningOf(field) ?? hint) : hint;
}

/** Returns the problems of a field and of what is in it. */
export function problemsOf(problems: readonly FormProblem[], name: string): FormProblem[] {
  return problems.filter(
    ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
}
