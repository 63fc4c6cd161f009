import { displayWidth, startWithin } from '#contract/text/display-width.ts';

/** Control characters move the cursor, so a row with one would have the wrong width. */
const control = /\p{Cc}/gu;

/** Pads or shortens a text to this many columns. Cuts the middle, because both ends identify it. */
export function fitText(text: string, columns: number): string {
  const plain = text.replace(control, ' ');
  const pad = (shown: string) => shown + ' '.repeat(Math.max(0, columns - displayWidth(shown)));
  if (displayWidth(plain) <= columns) return pad(plain);
  const head = startWithin(plain, Math.floor((columns - 1) / 2));
  const tail = startWithin(backwards(plain), columns - 1 - displayWidth(head));
  return pad(`${head}…${backwards(tail)}`);
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
