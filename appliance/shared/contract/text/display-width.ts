const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** Reports whether a character takes two columns, as Chinese ones do. */
export function isWide(char: string): boolean {
  return wide.test(char);
}

/** Returns the width of a text in terminal columns. Wide East Asian characters take two. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, char) => sum + (isWide(char) ? 2 : 1), 0);
}

/** Returns the longest start of a text that fits into this many terminal columns. */
export function startWithin(text: string, columns: number): string {
  let start = '';
  let room = columns;
  for (const char of text) {
    room -= displayWidth(char);
    if (room < 0) break;
    start += char;
  }
  return start;
}
