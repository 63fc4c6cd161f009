import { Transform, type Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/**
 * A stream that leads to standard output, without colours where that is no terminal: a log file
 * with escape sequences is hard to read and to search.
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
