import { inLanguage } from '#contract/text/language.ts';

/** Returns a hint for common YAML mistakes: an unquoted version is a number, one item is no list. */
export function mistakeOf(value: unknown, kinds: readonly string[]): string | undefined {
  if (typeof value === 'object') return undefined;
  if (kinds.includes('a mapping of keys') && /^[A-Za-z_][\w-]*:\S/.test(String(value))) {
    return inLanguage({
      en: 'A space is missing after the colon: write key: value.',
      zh: '冒号后缺少空格：请写成 key: value。',
    });
  }
  if (kinds.includes('a text'))
    return inLanguage({ en: 'Put the value in quotes.', zh: '给值加上引号。' });
  if (kinds.includes('a list'))
    return inLanguage({
      en: 'Start each entry with a dash, or write [a, b].',
      zh: '每项以连字符 - 开头，或写成 [a, b]。',
    });
  if (typeof value !== 'string') return undefined;
  if (kinds.includes('true or false')) return switchMeant(value);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const wantsNumber = kinds.includes('a number') || kinds.includes('a whole number');
  return isNumber && wantsNumber
    ? inLanguage({ en: 'Write it without quotes.', zh: '去掉引号。' })
    : undefined;
}

/** YAML 1.2 has only the booleans true and false (yaml.org/spec/1.2.2, 10.2.1.2). */
function switchMeant(value: string): string {
  if (/^(?:true|false)$/i.test(value))
    return inLanguage({
      en: `Write ${value.toLowerCase()}, without quotes.`,
      zh: `写成 ${value.toLowerCase()}，不加引号。`,
    });
  if (/^(?:yes|y|on)$/i.test(value)) return inLanguage({ en: 'Write true.', zh: '写成 true。' });
  return /^(?:no|n|off)$/i.test(value)
    ? inLanguage({ en: 'Write false.', zh: '写成 false。' })
    : inLanguage({ en: 'Write true or false.', zh: '写成 true 或 false。' });
}

/** Returns the type of a value in words. Strings are not quoted: they could be long or secret. */
export function kindOf(value: unknown): string {
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
export function wantedKind(expected: string): string {
  return wantedKinds[expected] ?? expected;
}

const chineseKinds: Readonly<Record<string, string>> = {
  'a text': '文本',
  'a list': '列表',
  'a mapping of keys': '键值映射',
  'true or false': ' true 或 false',
  'a number': '数字',
  'a whole number': '整数',
  empty: '空值',
};

/** Returns the Chinese of a type in words. */
export function chineseKind(kind: string): string {
  return chineseKinds[kind] ?? ` ${kind} `;
}
