/**
 * Returns a document with the generated text between two markers replaced.
 * @throws Error when the document has no markers of this name
 */
export function withGenerated(document: string, name: string, text: string): string {
  const begin = `<!-- ${name}: written by \`npm run schema\` -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(`<!-- /${name} -->`);
  if (from === -1 || to < from) throw new Error(`the document has no markers for the ${name}`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
