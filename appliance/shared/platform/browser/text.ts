import type { TextName } from '../text-names.ts';

export type { TextName };

/** All text files by name. The bundler of a page defines it (`define` of esbuild). */
declare const bundledTexts: Readonly<Record<TextName, string>>;

/** Returns a text file of the product. */
export function text(name: TextName): string {
  return bundledTexts[name];
}
