import { displayWidth } from '#contract/text/display-width.ts';

/** They move the cursor, so a row that holds one does not have the width that it is counted for. */
const control = /\p{Cc}/gu;

/** A text in exactly this many columns. What is too long loses its middle: both ends tell it apart. */
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
