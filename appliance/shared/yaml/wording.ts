import type { YAMLError } from 'yaml';

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

/** Messages for errors whose text in the parser needs knowledge of YAML. */
const messages: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'the indentation contains a tab',
  BAD_INDENT: 'the indentation does not match the lines around it',
  TAG_RESOLVE_FAILED: 'a tag (a word after "!") is not allowed',
  NON_STRING_KEY: 'a key is not plain text',
  BLOCK_AS_IMPLICIT_KEY: 'the line contains a second key',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines, or the line above has no colon',
  BAD_SCALAR_START: 'a value starts with a reserved character',
  BAD_DIRECTIVE: 'a line starts with % and is no directive',
  BAD_ALIAS: 'an alias has no name',
};

const hint =
  'Put the text in quotes if it contains a colon, a hash or another special character. Indent each level by two spaces.';

/**
 * Returns the message and hint for an error of the parser. Text that the parser quotes from the file
 * is removed, because it could be a secret.
 */
export function syntaxWording({ code, message }: YAMLError): Wording {
  const said = message.replace(/:[\s\S]*$/, '').replace(/["']quote$/, 'quote');
  return { message: messages[code] ?? said.charAt(0).toLowerCase() + said.slice(1), hint };
}
