/** The marks of a case, from the inside out. */
const marks: ReadonlyArray<readonly [RegExp, (text: string) => string]> = [
  [/‹([^‹›«»⟦⟧]*)›/g, (text) => Buffer.from(text).toString('base64')],
  [/«([^‹›«»⟦⟧]*)»/g, (text) => Buffer.from(text).toString('base64url')],
  [/⟦([^‹›«»⟦⟧]*)⟧/g, (text) => encodeURIComponent(text)],
];

/** Changes of the whole content, which are applied in the order of the case. */
const changes: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  empty: () => Buffer.alloc(0),
  crlf: (content) => Buffer.from(content.toString().replaceAll('\n', '\r\n')),
  cr: (content) => Buffer.from(content.toString().replaceAll('\n', '\r')),
  bom: (content) => Buffer.concat([Buffer.from('\ufeff'), content]),
  base64: (content) => Buffer.from(content.toString('base64')),
  base64url: (content) => Buffer.from(content.toString('base64url')),
  wrap: (content) => Buffer.from(content.toString().replace(/.{76}/g, '$&\n')),
  cut: (content) => content.subarray(0, -24),
  hex: (content) => Buffer.from(content.toString().trim(), 'hex'),
  utf16: (content) => Buffer.from(`\ufeff${content}`, 'utf16le'),
};

/**
 * Returns the content of a case: `‹…›` is encoded in base64, `«…»` in base64url without padding, `⟦…⟧`
 * with percent signs, `⟨200b⟩` is a character by its number, and `→` a tab.
 * @param options names of `changes`, or others, which are ignored
 * @throws Error if a mark is left
 */
export function bytesOf(content: string, options: readonly string[]): Buffer {
  let text = content
    .replaceAll('→', '\t')
    .replace(/⟨([0-9a-f]+)⟩/g, (_mark, code) => String.fromCodePoint(Number.parseInt(code, 16)));
  for (let before = ''; before !== text; ) {
    before = text;
    for (const [mark, encode] of marks) text = text.replace(mark, (_mark, inner) => encode(inner));
  }
  if (/[‹›«»⟦⟧⟨⟩]/.test(text)) throw new Error(`a mark is not closed: ${text.slice(0, 80)}`);
  let bytes: Buffer = Buffer.from(text);
  for (const name of options) bytes = changes[name]?.(bytes) ?? bytes;
  return bytes;
}
