import { describe, expect, it } from 'vitest';
import { LiveRows } from '#terminal/live-rows.ts';
import { Terminal } from './terminal.ts';

function live() {
  const terminal = new Terminal(20, 10);
  return { terminal, rows: new LiveRows(terminal) };
}

describe('redrawn rows', () => {
  it('replace the previous rows', () => {
    const { terminal, rows } = live();
    rows.draw(['one', 'two', 'three']);
    rows.draw(['1', '2']);
    expect(terminal.lines()).toEqual(['1', '2']);
  });

  it('stay below printed lines', () => {
    const { terminal, rows } = live();
    rows.print('first');
    rows.draw(['row']);
    rows.print('a line that is longer than the terminal');
    rows.draw(['row again']);
    expect(terminal.lines()).toEqual([
      'first',
      'a line that is longe',
      'r than the terminal',
      'row again',
    ]);
  });

  it('disappear when they are removed', () => {
    const { terminal, rows } = live();
    rows.print('line');
    rows.draw(['row']);
    rows.draw([]);
    rows.print('last');
    expect(terminal.lines()).toEqual(['line', 'last']);
  });

  it('never hide the cursor, which is below them', () => {
    const written: string[] = [];
    const rows = new LiveRows({ write: (text: string) => written.push(text) });
    rows.draw(['row']);
    rows.print('line');
    rows.draw([]);
    rows.draw([]);
    expect(written).toEqual(['row\n', '\x1b[1A\r\x1b[0Jline\nrow\n', '\x1b[1A\r\x1b[0J']);
  });
});
