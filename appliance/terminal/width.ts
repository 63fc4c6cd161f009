const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
/** They move the cursor, so a row that holds one does not have the width that it is counted for. */
const control = /\p{Cc}/gu;

/** Columns a text takes on a terminal: wide East Asian characters take two. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0);
}

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
