import type { YAMLError } from 'yaml';
import { inLanguage, type Text } from '#contract/text/language.ts';

interface Wording {
  readonly message: string;
  readonly hint: string;
  /** The line without the mistake. */
  readonly corrected?: string;
}

/** A syntax error at an offset of the text. */
export interface SyntaxFinding extends Wording {
  readonly offset: number;
}

const quoting = {
  en: 'Put the text in quotes if it contains a colon, a hash or another special character.',
  zh: '文本含有冒号、# 等特殊字符时，请加上引号。',
};
const indenting = { en: 'Indent each level by two spaces.', zh: '每一级缩进两个空格。' };

const wordings: Partial<Record<YAMLError['code'], Record<'message' | 'hint', Text>>> = {
  TAB_AS_INDENT: {
    message: { en: 'the indentation contains a tab', zh: '缩进中有制表符' },
    hint: { en: 'Indent with spaces.', zh: '请用空格缩进。' },
  },
  BAD_INDENT: {
    message: {
      en: 'the indentation does not match the lines around it',
      zh: '缩进与前后的行不一致',
    },
    hint: indenting,
  },
  TAG_RESOLVE_FAILED: {
    message: { en: 'a tag (a word after "!") is not allowed', zh: '不允许使用标签（! 之后的词）' },
    hint: { en: 'Remove the tag, or put the text in quotes.', zh: '删除标签，或给文本加上引号。' },
  },
  MULTIPLE_DOCS: {
    message: { en: 'a second document starts here', zh: '从这里开始是第二个文档' },
    hint: { en: 'Keep one document in the file.', zh: '文件中只保留一个文档。' },
  },
  NON_STRING_KEY: {
    message: { en: 'a key is not plain text', zh: '字段名不是普通文本' },
    hint: { en: 'Use plain text as keys.', zh: '字段名请用普通文本。' },
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: { en: 'the line contains a second key', zh: '这一行有第二个字段名' },
    hint: quoting,
  },
  MULTILINE_IMPLICIT_KEY: {
    message: { en: 'a key spans several lines', zh: '字段名跨了多行' },
    hint: {
      en: 'Check for a missing colon or closing quote in the lines above.',
      zh: '检查上面的行是否缺少冒号或右引号。',
    },
  },
  BAD_SCALAR_START: {
    message: { en: 'a value starts with a reserved character', zh: '值以保留字符开头' },
    hint: quoting,
  },
  BAD_DIRECTIVE: {
    message: { en: 'a line starts with % and is no directive', zh: '以 % 开头的行不是指令' },
    hint: quoting,
  },
  BAD_ALIAS: { message: { en: 'an alias has no name', zh: '别名没有名称' }, hint: quoting },
};

const fallbackHint = {
  en: `${quoting.en} ${indenting.en}`,
  zh: `${quoting.zh}${indenting.zh}`,
};

/**
 * Returns the message and hint for an error of the parser. Text that the parser quotes from the file
 * is removed, because it could be a secret.
 */
export function syntaxWording({ code, message }: YAMLError): Wording {
  const known = wordings[code];
  if (known) return { message: inLanguage(known.message), hint: inLanguage(known.hint) };
  const said = message.replace(/:[\s\S]*$/, '').replace(/["']quote$/, 'quote');
  return { message: said.charAt(0).toLowerCase() + said.slice(1), hint: inLanguage(fallbackHint) };
}
