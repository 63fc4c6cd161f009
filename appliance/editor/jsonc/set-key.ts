import { commaAfter } from './comma-after.ts';
import { lastEntry, type ParsedSettings } from './parse-settings.ts';

/**
 * Returns the text with a setting. Comments, indentation and line breaks are kept: an existing value
 * is replaced, and a new setting is the last one.
 * @param json the value as JSON
 */
export function setKey(settings: ParsedSettings, key: string, json: string): string {
  const { text } = settings;
  const entry = lastEntry(settings, key);
  if (entry) return text.slice(0, entry.valueStart) + json + text.slice(entry.end);
  return append(settings, `${JSON.stringify(key)}: ${json}`);
}

function append({ text, entries, braces }: ParsedSettings, property: string): string {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const indent = indentOf(text, entries[0]?.start);
  if (braces === undefined) {
    const before = text === '' || /[\r\n]$/.test(text) ? text : text + eol;
    return `${before}{${eol}${indent}${property}${eol}}${eol}`;
  }
  const last = entries.at(-1);
  const comma = last && commaAfter(text, last.end);
  const end = comma === undefined ? (last?.end ?? braces.open + 1) : comma + 1;
  const tail = text.slice(end, braces.close);
  // Spaces before a line break can be the end of a comment, as can whitespace that JSON does not have.
  const comments = tail.replace(/[\r\n][ \t\r\n]*$|[ \t]+$/, '');
  const rest = tail.slice(comments.length);
  const closing = /[\r\n]/.test(rest) ? rest : eol + (lineIndent(text, braces.open) ?? '');
  const added = `${eol}${indent}${property}${comma === undefined ? '' : ','}${closing}`;
  const separator = last && comma === undefined ? ',' : '';
  return text.slice(0, end) + separator + comments + added + text.slice(braces.close);
}

/** Returns the indentation of settings: that of the first one, or the default of VS Code. */
function indentOf(text: string, first: number | undefined): string {
  return (first === undefined ? undefined : lineIndent(text, first)) || '    ';
}

/** Returns the whitespace before an offset, if nothing else is before it on its line. */
function lineIndent(text: string, offset: number): string | undefined {
  return /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, offset))?.[1];
}
