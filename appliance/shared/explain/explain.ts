import { safeParse, type z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import { isReserved } from '#contract/site/reserved.ts';
import { siteSchema } from '#contract/site/site.ts';
import type { FieldProblem } from '#contract/site/site-problem.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { adviceOn } from './advice.ts';
import { nameOf } from './field-name.ts';
import { type FlatIssue, flattenIssues } from './flatten-issues.ts';
import { nearest } from './nearest.ts';
import { descriptionOf, knownKeys, memberOf, schemaAt } from './schema-at.ts';

/** A wrong file can have thousands of problems; only the first ones are useful. */
const maxProblems = 50;

/**
 * Returns the problems of a file's values: each with its position, the cause and a hint. Text from
 * the file is quoted only if it cannot be a secret (see advice.ts).
 * @param schema the schema of the file; with it, hints suggest keys and describe missing values
 */
export function explain(error: z.ZodError, file: YamlFile, schema?: z.ZodType): Problem[] {
  const problems = flattenIssues(error.issues).map((issue): Problem => {
    const wording = wordIssue(issue, file.value, schema);
    const position = issue.at === 'key' ? file.locateKey(issue.path) : file.locate(issue.path);
    return { ...wording, file: file.path, ...position };
  });
  return inOrder(problems).slice(0, maxProblems);
}

/** Adds the positions in the file to the violations of rules. */
export function locate(problems: readonly FieldProblem[], file: YamlFile): Problem[] {
  return problems.map(({ at, message, hint }) => {
    return { message, hint, file: file.path, ...file.locate(at) };
  });
}

/** Sorts problems by their position in the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

type Wording = Pick<Problem, 'message' | 'hint'>;

/** Returns the message and hint for an invalid value or key. */
function wordIssue(
  { path, issue }: FlatIssue,
  root: unknown,
  schema: z.ZodType | undefined,
): Wording {
  if (schema === siteSchema && isReserved(path)) {
    const message = `${nameOf(path)} is reserved for a later version of Landfall`;
    return { message, hint: 'Remove the key.' };
  }
  if (issue.code === 'unrecognized_keys') return unknownKey(path, root, schema);
  const value = path.reduce(memberOf, root);
  const expected = schema && schemaAt(schema, path, root);
  const { said, hint } = asText(issue, value, expected) ?? describeIssue(issue, value);
  const about = value == null ? descriptionOf(expected) : undefined;
  return { message: `${nameOf(path)} ${said}`, hint: hint ?? adviceOn(path, value) ?? about };
}

function unknownKey(
  path: readonly PropertyKey[],
  root: unknown,
  schema: z.ZodType | undefined,
): Wording {
  const above = path.slice(0, -1);
  const parent = schema && schemaAt(schema, above, root);
  const known = knownKeys(parent, above.reduce(memberOf, root));
  const meant = nearest(String(path.at(-1)), known);
  const list = known.length > 0 ? `Known keys: ${known.join(', ')}.` : undefined;
  return {
    message: `${nameOf(path)} is not a known key`,
    hint: meant ? `Did you mean ${meant}?` : list,
  };
}

/** The rest of the sentence after the field name, and a specific hint if there is one. */
interface Finding {
  readonly said: string;
  readonly hint?: string | undefined;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): Finding {
  switch (issue.code) {
    case 'invalid_type':
      return ofKind(value, [wantedKind(issue.expected)]);
    case 'invalid_value':
      // A custom message is more specific than the list of valid values.
      return issue.message.startsWith('Invalid')
        ? oneOf(value, issue.values.map(String))
        : { said: issue.message };
    case 'invalid_union':
      return ofUnion(issue, value);
    case 'invalid_key':
      return {
        said: 'is not a valid name',
        hint: issue.issues[0] && `The name ${issue.issues[0].message}.`,
      };
    case 'too_small':
    case 'too_big':
      return { said: ofSize(issue) };
    default:
      return { said: issue.message.replace(/^Invalid/, 'is an invalid') };
  }
}

function ofKind(value: unknown, kinds: readonly string[]): Finding {
  if (value === undefined) return { said: 'is missing' };
  const hint = value === null ? undefined : mistakeOf(value, kinds);
  return { said: `must be ${kinds.join(' or ')}, but is ${kindOf(value)}`, hint };
}

/** Returns a hint for common YAML mistakes: an unquoted version is a number, one item is no list. */
function mistakeOf(value: unknown, kinds: readonly string[]): string | undefined {
  if (typeof value === 'object') return undefined;
  if (kinds.includes('a mapping of keys') && /^[A-Za-z_][\w-]*:\S/.test(String(value))) {
    return 'A space is missing after the colon: write key: value.';
  }
  if (kinds.includes('a text')) return 'Put the value in quotes.';
  if (kinds.includes('a list')) return 'Start each entry with a dash, or write [a, b].';
  if (typeof value !== 'string') return undefined;
  if (kinds.includes('true or false')) return switchMeant(value);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const wantsNumber = kinds.includes('a number') || kinds.includes('a whole number');
  return isNumber && wantsNumber ? 'Write it without quotes.' : undefined;
}

/** YAML 1.2 has only the booleans true and false (yaml.org/spec/1.2.2, 10.2.1.2). */
function switchMeant(value: string): string {
  if (/^(?:true|false)$/i.test(value)) return `Write ${value.toLowerCase()}, without quotes.`;
  if (/^(?:yes|y|on)$/i.test(value)) return 'Write true.';
  return /^(?:no|n|off)$/i.test(value) ? 'Write false.' : 'Write true or false.';
}

/**
 * Validates a number or boolean as a string if a string is required. If the string is invalid, too,
 * its issue is reported, because adding quotes would only lead to the next error.
 */
function asText(
  issue: z.core.$ZodIssue,
  value: unknown,
  schema: z.core.$ZodType | undefined,
): Finding | undefined {
  if (issue.code !== 'invalid_type' || issue.expected !== 'string' || schema === undefined) {
    return undefined;
  }
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const [next] = safeParse(schema, String(value)).error?.issues ?? [];
  return next && describeIssue(next, String(value));
}

function oneOf(value: unknown, values: readonly string[]): Finding {
  const said =
    values.length === 1 ? `must be ${values[0]}` : `must be one of: ${values.join(', ')}`;
  if (value === undefined) return { said: `is missing; it ${said}` };
  const meant = typeof value === 'string' ? nearest(value, values) : undefined;
  return { said, hint: meant && `Did you mean ${meant}?` };
}

/** Lists the tags of a tagged union, or the types that other unions allow. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion, value: unknown): Finding {
  if ('options' in issue && issue.options?.length) return oneOf(value, issue.options.map(String));
  const issues = issue.errors.flat().filter(({ path }) => path.length === 0);
  const kinds = issues.flatMap((each) => {
    if (each.code === 'invalid_type') return [wantedKind(each.expected)];
    return each.code === 'invalid_value' ? each.values.map(String) : [];
  });
  const rule = issues.find(({ code }) => code === 'invalid_format' || code === 'custom');
  if (rule && typeof value === 'string') return { said: rule.message };
  return kinds.length > 0 ? ofKind(value, [...new Set(kinds)]) : { said: issue.message };
}

/** Returns the schema's custom message, or a replacement for zod's own, which starts with "Too". */
function ofSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  if (!/^Too (?:big|small)/.test(issue.message)) return issue.message;
  const amount = issue.origin === 'number' || issue.origin === 'int';
  return issue.code === 'too_big'
    ? `is too ${amount ? 'large' : 'long'}: at most ${issue.maximum}`
    : `is too ${amount ? 'small' : 'short'}: at least ${issue.minimum}`;
}

/** Returns the type of a value in words. Strings are not quoted: they could be long or secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping of keys';
  return typeof value === 'string' ? 'a text' : String(value);
}

const wantedKinds: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a mapping of keys',
  record: 'a mapping of keys',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  null: 'empty',
};

/** Returns the type that a schema requires, in the same words. */
function wantedKind(expected: string): string {
  return wantedKinds[expected] ?? expected;
}
