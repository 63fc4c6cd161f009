import { createScanner } from 'jsonc-parser';

/** Returns the offset of the comma after an offset; comments can be between them. */
export function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const found = scanner.getTokenOffset();
  return text[found] === ',' ? found : undefined;
}
