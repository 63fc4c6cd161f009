import { Transform, type Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/**
 * A stream to standard output, without colours unless it is a terminal: escape sequences make a log
 * file hard to read and to search.
 */
export function plainStream(target: NodeJS.WriteStream): Writable {
  if (target.isTTY) return target;
  const plain = new Transform({
    transform(chunk, _encoding, done) {
      done(undefined, stripVTControlCharacters(String(chunk)));
    },
  });
  plain.pipe(target, { end: false });
  return plain;
}
