import { Transform } from 'node:stream';

/** What `landfall status --watch` draws with: cursor up, clear to the end, colours. */
const allowed = '\\u001b\\[[\\d;]{0,20}[AJm]';
/** Other control characters, and characters that reverse or hide text. */
const refused =
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const pattern = new RegExp(`(${allowed})|${refused}`, 'g');
/** The beginning of a sequence whose rest is in the next chunk. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const unfinished = /\u001b(?:\[[\d;]{0,20})?$/;

/**
 * Returns a stream that passes text and the sequences of live rows on. A hostile server could otherwise
 * write to the clipboard or send input through the terminal of the user.
 */
export function screenFilter(): Transform {
  const decoder = new TextDecoder();
  let kept = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = kept + decoder.decode(chunk, { stream: true });
      kept = unfinished.exec(text)?.[0] ?? '';
      const complete = text.slice(0, text.length - kept.length);
      done(
        null,
        complete.replace(pattern, (_, sequence = '') => sequence),
      );
    },
  });
}
