import type { z } from 'zod';
import { siteSchema } from '#contract/site/site.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { bareDefinition, descriptionOf, memberOf, schemaAt } from '#explain/schema-at.ts';
import { examples } from './examples.ts';

/** How a field is edited: `lines` is a list of texts, `yaml` what has no form of its own. */
type FieldKind = 'text' | 'number' | 'switch' | 'choice' | 'lines' | 'section' | 'yaml';

/** A field of the form. */
export interface FormField {
  /** Keys from the top of the site. */
  readonly path: readonly string[];
  /** `tls.mode`. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly meaning: string;
  readonly example: string | undefined;
  readonly isRequired: boolean;
  /** The default of a text, number or choice; undefined if there is none. */
  readonly standard: unknown;
  /** Values of a choice. */
  readonly options: readonly string[];
  /** Fields of a section. */
  readonly children: readonly FormField[];
}

/** The Chinese meaning of fields, by their names. The build takes them from the documentation of the site. */
declare const chineseMeanings: Readonly<Record<string, string>>;

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];

/** Names of the sections of a site, in the order of the schema. */
export const sectionNames = siteSchema.keyof().options;

/**
 * Returns a field of the form from the schema of the site.
 * @param site the site so far, which selects the fields of `route`
 */
export function fieldAt(path: readonly string[], site: unknown): FormField {
  const schema = schemaAt(siteSchema, path, site);
  if (!schema) throw new Error(`the site has no field ${path.join('.')}`);
  return describe(schema, path, site);
}

function describe(schema: Schema, path: readonly string[], site: unknown): FormField {
  const name = path.join('.');
  const definition = bareDefinition(schema);
  const { kind, options = [] } = kindOf(definition);
  const standard = (schema as z.ZodType).safeParse(undefined);
  const value = path.reduce<unknown>(memberOf, site) ?? standard.data;
  return {
    path,
    name,
    kind,
    options,
    meaning: meaningOf(name, schema),
    example: Object.hasOwn(examples, name) ? examples[name] : undefined,
    isRequired: !standard.success,
    standard: typeof standard.data === 'object' ? undefined : standard.data,
    children: kind === 'section' ? childrenOf(definition, value, path, site) : [],
  };
}

function childrenOf(
  definition: Definition,
  value: unknown,
  path: readonly string[],
  site: unknown,
): FormField[] {
  const { name: tag, shapes } = tagOf(definition);
  return shapeOf(definition, value).map(([key, schema]) => {
    const field = describe(schema, [...path, key], site);
    return key === tag ? { ...field, options: shapes.flatMap((each) => tagsIn(each, tag)) } : field;
  });
}

function meaningOf(name: string, schema: Schema): string {
  const english = descriptionOf(schema) ?? '';
  return currentLanguage() === 'zh' ? (chineseMeaningOf(name) ?? english) : english;
}

/** Returns the Chinese meaning of a field, such as `tls.mode`. */
export function chineseMeaningOf(name: string): string | undefined {
  return Object.hasOwn(chineseMeanings, name) ? chineseMeanings[name] : undefined;
}

interface Kind {
  readonly kind: FieldKind;
  readonly options?: readonly string[];
}

function kindOf(definition: Definition): Kind {
  switch (definition.type) {
    case 'object':
      return { kind: 'section' };
    case 'boolean':
      return { kind: 'switch' };
    case 'number':
      return { kind: 'number' };
    case 'string':
      return { kind: 'text' };
    case 'enum':
      return { kind: 'choice', options: Object.values(definition.entries).map(String) };
    case 'literal':
      return { kind: 'choice', options: definition.values.map(String) };
    case 'array':
      return {
        kind: kindOf(bareDefinition(definition.element)).kind === 'text' ? 'lines' : 'yaml',
      };
    case 'union':
      return 'discriminator' in definition ? { kind: 'section' } : kindOfUnion(definition.options);
    default:
      return { kind: 'yaml' };
  }
}

function kindOfUnion(schemas: readonly Schema[]): Kind {
  const kinds = schemas.map((each) => kindOf(bareDefinition(each)));
  const has = (kind: FieldKind) => kinds.some((each) => each.kind === kind);
  if (kinds.every(({ kind }) => kind === 'choice')) {
    return { kind: 'choice', options: kinds.flatMap(({ options = [] }) => options) };
  }
  if (has('lines')) return { kind: 'lines', options: kinds.flatMap(({ options = [] }) => options) };
  return { kind: has('text') ? 'text' : 'yaml' };
}

/** Returns the fields of an object; of a tagged union, those of the option that a value chooses. */
function shapeOf(definition: Definition, value: unknown): Array<readonly [string, Schema]> {
  if (definition.type === 'object') return Object.entries(definition.shape);
  const { name, shapes } = tagOf(definition);
  const chosen = shapes.find((shape) =>
    tagsIn(shape, name).includes(String(memberOf(value, name))),
  );
  return Object.entries(chosen ?? shapes[0] ?? {});
}

/** Returns the tag of a union, such as `mode` of `route`, with the fields of each option. */
function tagOf(definition: Definition) {
  if (definition.type !== 'union' || !('discriminator' in definition))
    return { name: '', shapes: [] };
  const shapes = definition.options
    .map(bareDefinition)
    .flatMap((option) => (option.type === 'object' ? [option.shape] : []));
  return { name: String(definition.discriminator), shapes };
}

function tagsIn(shape: Readonly<Record<string, Schema>>, tag: string): readonly string[] {
  const schema = shape[tag];
  return schema ? (kindOf(bareDefinition(schema)).options ?? []) : [];
}
