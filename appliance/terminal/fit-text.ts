import { displayWidth } from '#contract/text/display-width.ts';

/** Control characters move the cursor, so a row with one would have the wrong width. */
const control = /\p{Cc}/gu;

/** Pads or shortens a text to this many columns. Cuts the middle, because both ends identify it. */
export function fitText(text: string, columns: number): string {
  const letters = [...text.replace(control, ' ')];
  const middle = Math.floor(letters.length / 2);
  const head = letters.slice(0, middle);
  const tail = letters.slice(middle);
  const isCut = displayWidth(text) > columns;
  const shown = () => `${head.join('')}${isCut ? '…' : ''}${tail.join('')}`;
  while (displayWidth(shown()) > columns && head.length + tail.length > 0) {
    if (head.length >= tail.length) head.pop();
    else tail.shift();
  }
  return shown() + ' '.repeat(Math.max(0, columns - displayWidth(shown())));
}
