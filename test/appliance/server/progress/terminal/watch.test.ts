import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import type { StagesStanding, Standing } from '../../../../../appliance/server/progress/state.ts';
import {
  renderRows,
  watchStanding,
} from '../../../../../appliance/server/progress/terminal/watch.ts';
import { Terminal } from '../../../shared/terminal/terminal.ts';
import { warningOf } from '../../stage/warning-of.ts';
import { statusOf } from '../status-of.ts';

const stages = (...given: Parameters<typeof statusOf>): Standing => ({
  kind: 'stages',
  status: statusOf(...given),
  interrupted: false,
  installed: false,
});
const history: readonly Standing[] = [
  { kind: 'unknown' },
  { kind: 'bootstrap', line: '16 of 50 MB' },
  stages('preflight'),
  stages('images', 'running', { line: 'pulling ui' }),
  stages('images', 'running', { line: 'pulling ui' }),
  stages(undefined),
];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches a sequence of standings, one per poll. */
async function watch(
  screen: { isTTY: boolean; columns: number; write(text: string): void },
  states: readonly Standing[],
  env: NodeJS.ProcessEnv = { NO_COLOR: '1' },
) {
  const left = [...states];
  const read = async () => left.shift() ?? { kind: 'unknown' as const };
  const watching = watchStanding(read, screen, env);
  await vi.runAllTimersAsync();
  return await watching;
}

describe('watching on a terminal', () => {
  it('redraws in place and leaves one table', async () => {
    const terminal = new Terminal();
    await watch(terminal, history);
    const shown = terminal.lines();
    expect(shown.filter((line) => line.includes('preflight'))).toHaveLength(1);
    expect(shown[0]).toBe('landfall 1.2.0: the first boot took 4 min 10 s');
    expect(shown.join('\n')).not.toMatch(/pulling|waiting|nothing is known/);
  });

  it('redraws in place on a narrow terminal with wrapped lines', async () => {
    const terminal = new Terminal(30);
    const warnings = [warningOf('a warning that is much longer than this terminal is wide')];
    await watch(terminal, [
      stages('images', 'running', { warnings }),
      stages('smoke', 'running', { warnings, line: 'asking the chat UI for its first page now' }),
      stages(undefined),
    ]);
    expect(terminal.lines().filter((line) => line.includes('preflight'))).toHaveLength(1);
    expect(terminal.lines().join('\n')).not.toContain('warning');
  });
});

describe('watching on the console of a small server, which has 24 lines', () => {
  const warnings = Array.from({ length: 10 }, (_, count) =>
    warningOf(`warning ${count} ${'of it '.repeat(20)}`),
  );
  const line = 'asking the chat UI for its first page';

  it('redraws in place (regression: every poll printed a new table)', async () => {
    const terminal = new Terminal(80, 24);
    const going = stages('smoke', 'running', { warnings, line });
    const left: Standing[] = [going, going, going];
    await watchUntil(terminal, left);
    const headlines = terminal
      .lines()
      .filter((each) => each.includes('the first boot has been running'));
    expect(headlines).toHaveLength(1);
    expect(terminal.scrolled()).toBe(0);
  });

  it('counts ended and waiting stages and warnings if they do not fit', async () => {
    const terminal = new Terminal(80, 24);
    await watchUntil(terminal, [stages('images', 'running', { warnings, line })]);
    const lines = terminal.lines();
    expect(lines).toContain(' …  8 done');
    expect(lines).toContain(' …  6 waiting');
    expect(lines).toContain('10 warnings: landfall status');
    expect(lines).toContain(line);
  });

  it('shows everything at the end', async () => {
    const terminal = new Terminal(80, 24);
    await watch(terminal, [
      stages('smoke', 'running', { warnings }),
      stages(undefined, 'applied', { warnings }),
    ]);
    expect(terminal.lines().filter((each) => each.startsWith('warning: '))).toHaveLength(10);
    expect(terminal.lines().join('\n')).not.toContain('goes on');
  });

  it('works on a serial console that reports no size', async () => {
    const terminal = new Terminal(80, 24);
    const screen = {
      isTTY: true,
      columns: 0,
      rows: 0,
      write: (text: string) => terminal.write(text),
    };
    await watchUntil(screen, [stages('images', 'running', { line })]);
    expect(terminal.lines()).toContain(line);
  });
});

/** Polls these standings and then stops, like Ctrl-C. */
async function watchUntil(
  screen: Parameters<typeof watchStanding>[1],
  states: readonly Standing[],
) {
  const left = [...states];
  const ended = new Error('Ctrl-C');
  const read = async () => {
    const next = left.shift();
    if (!next) throw ended;
    return next;
  };
  const watching = expect(watchStanding(read, screen, { NO_COLOR: '1' })).rejects.toBe(ended);
  await vi.runAllTimersAsync();
  await watching;
}

/** An output that is not a terminal. */
function log() {
  const pieces: string[] = [];
  const write = (text: string) => void pieces.push(text);
  return { isTTY: false, columns: 80, write, text: () => pieces.join('') };
}

describe('watching without a terminal', () => {
  it('writes one line per change, without colours', async () => {
    const screen = log();
    await watch(screen, history.slice(0, 5).concat(stages(undefined)));
    expect(screen.text().split('\n').slice(0, 4)).toEqual([
      'no first boot has started on this server yet',
      'downloading the release: 16 of 50 MB',
      '[ 1/15]   preflight: for a test',
      '[ 1/15]   preflight: done (1.2 s)',
    ]);
    expect(screen.text().match(/pulling ui/g)).toHaveLength(1);
    expect(screen.text()).not.toContain('\x1b');
  });

  it('does the same on a terminal without cursor movement', async () => {
    const screen = { ...log(), isTTY: true };
    await watch(screen, [stages('preflight'), stages(undefined)], { TERM: 'dumb' });
    expect(screen.text()).toContain('[ 1/15]   preflight: done (1.2 s)\n');
    expect(screen.text()).not.toContain('\x1b');
  });

  it('shows the error of a failure', async () => {
    const screen = log();
    const error = {
      code: 'SSH_UNPROVEN',
      message: 'ssh: the login failed',
      problems: ['no key'],
      hint: 'Give one.',
      retriable: false,
    };
    await watch(screen, [stages('ssh', 'failed', { error })]);
    expect(screen.text()).toContain(
      'SSH_UNPROVEN: ssh: the login failed\n  no key\nhint: Give one.\nit continues automatically after the fix\n',
    );
  });
});

describe('a first boot that was interrupted', () => {
  const cutOff = { ...stages('images'), interrupted: true } as StagesStanding;

  it('watches an interrupted first boot while it continues automatically', async () => {
    const screen = log();
    await watch(screen, [cutOff, cutOff, stages('images'), stages(undefined)]);
    expect(screen.text().match(/it continues automatically/g)).toHaveLength(1);
    expect(screen.text()).toContain('[15/15]   report: done');
  });

  it('ends the watch after a manual run (regression: it never ended after Ctrl-C)', async () => {
    const screen = log();
    const last = { ...cutOff, installed: true };
    expect(await watch(screen, [last])).toBe(last);
    expect(screen.text()).toContain('interrupted; to continue, run: sudo landfall first-boot');
  });
});

describe('the end of watching', () => {
  it.each([
    ['the setup is complete', stages(undefined)],
    ['it has failed', stages('ssh', 'failed')],
    ['a release was installed before', { kind: 'installed', release: '1.2.0' }],
  ] as const)('comes when %s', async (_case, last) => {
    expect(await watch(new Terminal(), [{ kind: 'unknown' }, last])).toBe(last);
  });
});

const paint: Paint = (style, text) => `${style}(${text})`;

describe('colours', () => {
  it('surround whole lines', () => {
    expect(renderRows([{ text: 'text', colour: 'red' }], 80, paint)).toEqual(['red(text)']);
    expect(renderRows([{ text: 'text', colour: 'red' }], 80, unpainted)).toEqual(['text']);
  });
});
