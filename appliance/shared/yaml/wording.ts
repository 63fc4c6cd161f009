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

const quoting =
  'Put the text in quotes if it contains a colon, a hash or another special character.';
const indenting = 'Indent each level by two spaces.';

const wordings: Partial<Record<YAMLError['code'], Wording>> = {
  TAB_AS_INDENT: {
    message: 'the indentation contains a tab',
    hint: 'Indent with spaces.',
  },
  BAD_INDENT: { message: 'the indentation does not match the lines around it', hint: indenting },
  TAG_RESOLVE_FAILED: {
    message: 'a tag (a word after "!") is not allowed',
    hint: 'Remove the tag, or put the text in quotes.',
  },
  MULTIPLE_DOCS: {
    message: 'a second document starts here',
    hint: 'Keep one document in the file.',
  },
  NON_STRING_KEY: { message: 'a key is not plain text', hint: 'Use plain text as keys.' },
  BLOCK_AS_IMPLICIT_KEY: { message: 'the line contains a second key', hint: quoting },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key spans several lines',
    hint: 'Check for a missing colon or closing quote in the lines above.',
  },
  BAD_SCALAR_START: { message: 'a value starts with a reserved character', hint: quoting },
  BAD_DIRECTIVE: { message: 'a line starts with % and is no directive', hint: quoting },
  BAD_ALIAS: { message: 'an alias has no name', hint: quoting },
};

const fallbackHint = `${quoting} ${indenting}`;

/**
 * Returns the message and hint for an error of the parser. Text that the parser quotes from the file
 * is removed, because it could be a secret.
 */
export function syntaxWording({ code, message }: YAMLError): Wording {
  const known = wordings[code];
  if (known) return known;
  const said = message.replace(/:[\s\S]*$/, '').replace(/["']quote$/, 'quote');
  return { message: said.charAt(0).toLowerCase() + said.slice(1), hint: fallbackHint };
}
