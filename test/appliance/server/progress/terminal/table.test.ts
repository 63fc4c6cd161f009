import { describe, expect, it } from 'vitest';
import type { Status } from '../../../../../appliance/server/progress/status.ts';
import {
  renderTable,
  type Shown,
} from '../../../../../appliance/server/progress/terminal/table.ts';
import { warningOf } from '../../stage/warning-of.ts';
import { statusOf } from '../status-of.ts';

const now = Date.parse('2026-11-21T07:02:00Z');
const shown = (status: Status, rest: Partial<Shown> = {}) => ({
  status,
  interrupted: false,
  installed: false,
  ...rest,
});
const text = (status: Status, at: number, rest?: Partial<Shown>) =>
  renderTable(shown(status, rest), at)
    .map((row) => row.text)
    .join('\n');

describe('renderTable', () => {
  it('shows smoke tests without a failure as passed, not as unchanged', () => {
    const status = statusOf(undefined);
    const stages = status.stages.map((stage) => ({ ...stage, state: 'kept' as const }));
    expect(text({ ...status, stages }, now)).toMatch(
      /13 {2}models +unchanged.*\n14 {2}smoke +passed/,
    );
  });

  it('shows completed, running and waiting stages', () => {
    const status = statusOf('images', 'running', {
      line: 'pulling ui',
      progress: { done: 1.2e9, total: 4.3e9, unit: 'bytes' },
      warnings: [warningOf('no swap could be made')],
    });
    expect(text(status, now)).toBe(
      `landfall 1.2.0: the first boot has been running for 2 min 0 s

 1  preflight  done                1.2 s
 2  route      done                1.2 s
 3  users      done                1.2 s
 4  ssh        done                1.2 s
 5  firewall   done                1.2 s
 6  ban        done                1.2 s
 7  kernel     done                1.2 s
 8  runtime    done                1.2 s
 9  images     running         2 min 0 s
10  secrets    waiting
11  stack      waiting
12  tls        waiting
13  models     waiting
14  smoke      waiting
15  report     waiting

pulling ui
[######------------------]  27 %    1.2 GB of 4.3 GB
warning: no swap could be made`,
    );
  });

  it('shows the duration after the end', () => {
    expect(text(statusOf(undefined), now)).toMatch(
      /^landfall 1\.2\.0: the first boot took 4 min 10 s\n/,
    );
  });

  it('shows the error, the hint and the retry advice', () => {
    const error = {
      code: 'IMAGE_MISMATCH',
      message: 'images: not what was locked',
      problems: ['ui is another', 'chat too'],
      hint: 'Look.',
      retriable: true,
    };
    const rows = renderTable(shown(statusOf('images', 'failed', { error })), now);
    expect(rows.slice(-5)).toEqual([
      { text: 'IMAGE_MISMATCH: images: not what was locked', colour: 'red' },
      { text: '  ui is another' },
      { text: '  chat too' },
      { text: 'hint: Look.' },
      { text: 'it is retried automatically' },
    ]);
  });

  it('shows the interrupted stage and stops the clock', () => {
    const interrupted = text(statusOf('images'), now + 9e6, { interrupted: true });
    expect(interrupted).toContain(
      'landfall 1.2.0: the first boot was interrupted after 4 min 10 s\n',
    );
    expect(interrupted).toContain(
      ' 9  images     interrupted    4 min 10 s\n10  secrets    waiting',
    );
    expect(interrupted).toMatch(/\n\nit continues automatically$/);
  });

  it.each([
    ['was interrupted', statusOf('images'), { interrupted: true }, 'to continue, run: '],
    ['has failed', statusOf('images', 'failed'), {}, 'run: '],
  ])('shows the command to continue a manual run that %s', (_case, status, rest, begin) => {
    const last = text(status, now, { ...rest, installed: true })
      .split('\n')
      .at(-1);
    expect(last).toBe(`${begin}sudo landfall first-boot`);
  });

  // This depended on the text of the hint before.
  it.each([
    [true, false, 'it is retried automatically'],
    [false, false, 'it continues automatically after the fix'],
    [true, true, 'run: sudo landfall first-boot'],
    [false, true, 'after the fix, run: sudo landfall first-boot'],
  ])(
    'shows the retry advice (retriable: %s, installed: %s): %s',
    (retriable, installed, expected) => {
      const hint = 'Then run: sudo landfall first-boot';
      const error = { code: 'X', message: 'no', hint, retriable };
      const lines = text(statusOf('images', 'failed', { error }), now, { installed }).split('\n');
      expect(lines.slice(-2)).toEqual([`hint: ${hint}`, expected]);
    },
  );

  it('removes control characters', () => {
    const evil = '\x1b[2J\x1b]0;title\x07text\r\n';
    const status = statusOf('ssh', 'failed', {
      product: `land${evil}`,
      line: evil,
      warnings: [warningOf(evil)],
      error: { code: 'X', message: evil, problems: [evil], hint: evil, retriable: true },
    });
    for (const row of renderTable(shown(status), now)) expect(row.text).not.toMatch(/\p{Cc}/u);
  });

  it('handles a clock that was set back', () => {
    expect(text(statusOf('images'), Date.parse('2020-01-01T00:00:00Z'))).toContain(
      'running for 0.0 s',
    );
  });
});
