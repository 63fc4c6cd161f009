import type { YAMLError } from 'yaml';

interface Wording {
  readonly message: string;
  readonly hint: string;
}

/** Something wrong at an offset of the text. */
export interface SyntaxFinding extends Wording {
  readonly offset: number;
}

const quoting =
  'Put the text in quotes when it holds a colon, a hash or another special character.';
const indenting = 'Indent with two spaces a level, the same for everything on one level.';

const wordings: Partial<Record<YAMLError['code'], Wording>> = {
  TAB_AS_INDENT: {
    message: 'a tab stands where spaces belong',
    hint: 'YAML is indented with spaces; let your editor turn tabs into spaces.',
  },
  BAD_INDENT: { message: 'the indentation does not fit the lines around it', hint: indenting },
  TAG_RESOLVE_FAILED: {
    message: 'a tag (a word after "!") is not allowed',
    hint: 'Remove the tag, or put the text in quotes when it starts with an exclamation mark.',
  },
  MULTIPLE_DOCS: {
    message: 'a second document starts here',
    hint: 'Keep one document in the file.',
  },
  NON_STRING_KEY: { message: 'a key is not plain text', hint: 'Write keys as words.' },
  BLOCK_AS_IMPLICIT_KEY: { message: 'a second key stands on one line', hint: quoting },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key runs over several lines',
    hint: 'Check that every line above has its colon and its closing quote.',
  },
  BAD_SCALAR_START: { message: 'a value starts with a reserved character', hint: quoting },
  BAD_ALIAS: { message: 'an alias has no name', hint: quoting },
};

const fallbackHint = `${quoting} ${indenting}`;

/**
 * Says what the parser found in our words. What the parser quotes from the file is cut off: it
 * could be a secret.
 */
export function syntaxWording({ code, message }: YAMLError): Wording {
  const known = wordings[code];
  if (known) return known;
  const said = message.replace(/:[\s\S]*$/, '');
  return { message: said.charAt(0).toLowerCase() + said.slice(1), hint: fallbackHint };
}
