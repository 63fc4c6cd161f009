import type { z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import { nearest } from './nearest.ts';
import type { YamlFile } from './read-yaml.ts';

type Issue = z.core.$ZodIssue;

/** What is wrong with a file's values: each problem with its place, what is allowed, what to do. */
export function explain(error: z.ZodError, file: YamlFile, schema?: z.ZodType): Problem[] {
  return error.issues.flatMap((issue) => problemsOf(issue, file, schema));
}

function problemsOf(issue: Issue, file: YamlFile, schema: z.ZodType | undefined): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => unknownKey(key, issue.path, known, file));
  }
  if (issue.code === 'invalid_union') return [problemOfUnion(issue, file)];
  return [
    {
      message: `${nameOf(issue.path)} ${sentenceOf(issue, valueAt(file.value, issue.path))}`,
      hint: hintOf(issue),
      file: file.path,
      ...file.locate(issue.path),
    },
  ];
}

function unknownKey(
  key: string,
  parent: ReadonlyArray<PropertyKey>,
  known: readonly string[],
  file: YamlFile,
): Problem {
  const meant = nearest(key, known);
  const path = [...parent, key];
  return {
    message: `${nameOf(path)} is not a known key`,
    hint: meant
      ? `Did you mean ${meant}?`
      : known.length > 0
        ? `Known keys: ${known.join(', ')}.`
        : undefined,
    file: file.path,
    ...file.locateKey(path),
  };
}

/** A union fails with the errors of each branch; people need the choices, not the branches. */
function problemOfUnion(issue: Extract<Issue, { code: 'invalid_union' }>, file: YamlFile): Problem {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  const wanted = options.length > 0 ? `must be one of: ${options.join(', ')}` : issue.message;
  return {
    message: `${nameOf(issue.path)} ${wanted}`,
    file: file.path,
    ...file.locate(issue.path),
  };
}

function sentenceOf(issue: Issue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (found === undefined) return 'is missing';
      return `must be ${article(issue.expected)}, but is ${describe(found)}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}; found ${describe(found)}`;
    case 'too_big':
      return `is too ${sizeWord(issue.origin, 'long', 'large')}: at most ${issue.maximum}`;
    case 'too_small':
      if (issue.message && !/^Too small/.test(issue.message)) return issue.message;
      return `is too ${sizeWord(issue.origin, 'short', 'small')}: at least ${issue.minimum}`;
    case 'invalid_key':
      return 'has a name that is not allowed';
    default:
      return issue.message
        .replace(/^Invalid/, 'is an invalid')
        .replace(/^./, (c) => c.toLowerCase());
  }
}

function hintOf(issue: Issue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'string') return 'Put it in quotes if it is meant as text.';
  if (issue.expected === 'array') return 'Begin each entry with a dash, or write [a, b].';
  return undefined;
}

function sizeWord(origin: string, length: string, amount: string): string {
  return origin === 'number' || origin === 'int' ? amount : length;
}

const articles: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a mapping of keys',
  record: 'a mapping of keys',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
};

function article(type: string): string {
  return articles[type] ?? type;
}

/** What was found, short and without repeating long or odd text. */
function describe(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping of keys';
  if (typeof value !== 'string') return String(value);
  return value.length > 40 ? 'a long text' : JSON.stringify(value);
}

/** A path as people write it: `components.ui.image`, `admin.ssh_keys[1]`. */
export function nameOf(path: ReadonlyArray<PropertyKey>): string {
  if (path.length === 0) return 'the file';
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

function valueAt(value: unknown, path: ReadonlyArray<PropertyKey>): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

interface Shaped {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  unwrap?(): z.ZodType;
}

/** The keys that an object schema knows at this path; empty where the path leads nowhere. */
function keysAt(schema: z.ZodType | undefined, path: ReadonlyArray<PropertyKey>): string[] {
  let current = bare(schema);
  for (const part of path) {
    const next =
      typeof part === 'number'
        ? current?.element
        : (current?.shape?.[String(part)] ?? current?.valueType);
    current = bare(next);
  }
  return Object.keys(current?.shape ?? {});
}

/** The schema inside defaults and optionals. */
function bare(schema: z.ZodType | undefined): Shaped | undefined {
  let current = schema as Shaped | undefined;
  while (current && !current.shape && !current.element && typeof current.unwrap === 'function') {
    current = current.unwrap() as Shaped;
  }
  return current;
}
