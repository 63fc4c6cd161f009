import type { Writable } from 'node:stream';
import { currentLanguage } from '#contract/text/language.ts';

/** The word between the codes that begin and end dim text. */
const dimNone = /(?<=\[2m)none(?=.\[22m)/g;

/**
 * Returns a terminal on which a list without a choice is Chinese: clack writes `none`, and cannot be told
 * another word.
 */
export function withChineseNone(output: Writable): Writable {
  if (currentLanguage() === 'en') return output;
  return new Proxy(output, {
    get(target, name) {
      if (name === 'write') {
        return (text: string | Buffer) => target.write(`${text}`.replaceAll(dimNone, '无'));
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
