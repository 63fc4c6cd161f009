import { safeParse, type z } from 'zod';
import type { FieldProblem, Problem } from '#contract/errors.ts';
import { siteSchema } from '#contract/site/site.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { adviceOn } from './advice.ts';
import { ruleText } from './chinese-rules.ts';
import { nameOf } from './field-name.ts';
import { type FlatIssue, flattenIssues } from './flatten-issues.ts';
import { nearest } from './nearest.ts';
import { descriptionOf, knownKeys, memberOf, schemaAt } from './schema-at.ts';
import { chineseKind, kindOf, mistakeOf, wantedKind } from './value-kinds.ts';

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
    const message = inLanguage({
      en: `${nameOf(path)} is reserved for a later version of Landfall`,
      zh: `${nameOf(path)}：保留给 Landfall 以后的版本`,
    });
    return { message, hint: inLanguage({ en: 'Remove the key.', zh: '删除这个字段。' }) };
  }
  if (issue.code === 'unrecognized_keys') return unknownKey(path, root, schema);
  const value = path.reduce(memberOf, root);
  const expected = schema && schemaAt(schema, path, root);
  const { said, hint } = asText(issue, value, expected) ?? describeIssue(issue, value);
  const about = value == null ? descriptionOf(expected) : undefined;
  const [colon, name] = [inLanguage({ en: ' ', zh: '：' }), nameOf(path)];
  return { message: `${name}${colon}${said}`, hint: hint ?? adviceOn(path, value) ?? about };
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
  const list = known.length > 0 ? inLanguage(knownList(known)) : undefined;
  return {
    message: inLanguage({
      en: `${nameOf(path)} is not a known key`,
      zh: `${nameOf(path)}：没有这个字段`,
    }),
    hint: meant ? inLanguage(meaning(meant)) : list,
  };
}

function knownList(keys: readonly string[]): Text {
  return { en: `Known keys: ${keys.join(', ')}.`, zh: `可用的字段：${keys.join('、')}。` };
}

function meaning(name: string): Text {
  return { en: `Did you mean ${name}?`, zh: `您是想写 ${name} 吗？` };
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
        : { said: ruleText(issue.message) };
    case 'invalid_union':
      return ofUnion(issue, value);
    case 'invalid_key':
      return {
        said: inLanguage({ en: 'is not a valid name', zh: '名称无效' }),
        hint: issue.issues[0] && inLanguage(nameRule(issue.issues[0].message)),
      };
    case 'too_small':
    case 'too_big':
      return { said: ofSize(issue) };
    default:
      return { said: ofFormat(issue.message) };
  }
}

/** zod's own messages are such as `Invalid IPv4 address`. */
function ofFormat(message: string): string {
  const [, what] = /^Invalid (.+)$/.exec(message) ?? [];
  if (what === undefined) return ruleText(message);
  return inLanguage({ en: `is an invalid ${what}`, zh: `格式无效（${what}）` });
}

function nameRule(message: string): Text {
  return { en: `The name ${message}.`, zh: `名称${ruleText(message)}。` };
}

function ofKind(value: unknown, kinds: readonly string[]): Finding {
  if (value === undefined) return { said: inLanguage(isMissing) };
  const hint = value === null ? undefined : mistakeOf(value, kinds);
  const said = inLanguage({
    en: `must be ${kinds.join(' or ')}, but is ${kindOf(value)}`,
    zh: `必须是${kinds.map(chineseKind).join('或')}，但现在是${chineseKind(kindOf(value))}`,
  });
  return { said, hint };
}

const isMissing = { en: 'is missing', zh: '缺少' };

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
  const said = {
    en: values.length === 1 ? `must be ${values[0]}` : `must be one of: ${values.join(', ')}`,
    zh: `只能是 ${values.join('、')}`,
  };
  if (value === undefined) {
    return { said: inLanguage({ en: `is missing; it ${said.en}`, zh: `缺少；${said.zh}` }) };
  }
  const meant = typeof value === 'string' ? nearest(value, values) : undefined;
  return { said: inLanguage(said), hint: meant && inLanguage(meaning(meant)) };
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
  if (rule && typeof value === 'string') return { said: ruleText(rule.message) };
  return kinds.length > 0 ? ofKind(value, [...new Set(kinds)]) : { said: ruleText(issue.message) };
}

/** Returns the schema's custom message, or a replacement for zod's own, which starts with "Too". */
function ofSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  if (!/^Too (?:big|small)/.test(issue.message)) return ruleText(issue.message);
  const amount = issue.origin === 'number' || issue.origin === 'int';
  const text =
    issue.code === 'too_big'
      ? {
          en: `is too ${amount ? 'large' : 'long'}: at most ${issue.maximum}`,
          zh: `太${amount ? '大' : '长'}：最多 ${issue.maximum}`,
        }
      : {
          en: `is too ${amount ? 'small' : 'short'}: at least ${issue.minimum}`,
          zh: `太${amount ? '小' : '短'}：至少 ${issue.minimum}`,
        };
  return inLanguage(text);
}

/** Top-level keys that later versions of Landfall will use; the schema rejects them as unknown. */
const reservedKeys: ReadonlySet<unknown> = new Set(['clients']);

/**
 * Returns whether a rejected value of a site is reserved for a later version, rather than a typo.
 * @param path position of the value in the site
 */
function isReserved(path: readonly PropertyKey[]): boolean {
  return path.length === 1 && reservedKeys.has(path[0]);
}
