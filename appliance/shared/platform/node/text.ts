import { readFileSync } from 'node:fs';
import type { TextName } from '../text-names.ts';

export type { TextName };

/** Returns a text file of the product. */
export function text(name: TextName): string {
  return readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
}
