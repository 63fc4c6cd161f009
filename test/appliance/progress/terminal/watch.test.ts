import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagesStanding, Standing } from '../../../../appliance/progress/standing.ts';
import { watchStanding } from '../../../../appliance/progress/terminal/watch.ts';
import { warningOf } from '../../stage/warning-of.ts';
import { Terminal } from '../../terminal/terminal.ts';
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

/** Watches what a server goes through, one look each. */
async function watch(
  screen: { isTTY: boolean; columns: number; write(text: string): void },
  states: readonly Standing[],
) {
  const left = [...states];
  const read = async () => left.shift() ?? { kind: 'unknown' as const };
  const watching = watchStanding(read, screen, { NO_COLOR: '1' });
  await vi.runAllTimersAsync();
  return await watching;
}

describe('watching on a terminal', () => {
  it('draws in place: in the end there is one table and nothing of the ones before', async () => {
    const terminal = new Terminal();
    await watch(terminal, history);
    const shown = terminal.lines();
    expect(shown.filter((line) => line.includes('preflight'))).toHaveLength(1);
    expect(shown[0]).toBe('landfall 1.2.0: the first boot took 4 min 10 s');
    expect(shown.join('\n')).not.toMatch(/pulling|waiting|nothing is known/);
  });

  it('draws in place on a narrow one too, where lines go on below', async () => {
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

  it('draws in place: bug of a table that was printed anew below at every look', async () => {
    const terminal = new Terminal(80, 24);
    const going = stages('smoke', 'running', { warnings, line });
    const left: Standing[] = [going, going, going];
    await watchUntil(terminal, left);
    const headlines = terminal.lines().filter((each) => each.includes('the first boot goes on'));
    expect(headlines).toHaveLength(1);
    expect(terminal.scrolled()).toBe(0);
  });

  it('leaves out first what has ended and what waits, then the words of warnings', async () => {
    const seen = async (...given: Parameters<typeof statusOf>) => {
      const terminal = new Terminal(80, 24);
      await watchUntil(terminal, [stages(...given)]);
      return terminal.lines();
    };
    const some = await seen('images', 'running', { warnings: warnings.slice(0, 3), line });
    expect(some).toContain(' …  8 done');
    expect(some.join('\n')).toContain('10  secrets    waiting');
    expect(some.join('\n')).toContain('warning: warning 2');
    const all = await seen('images', 'running', { warnings, line });
    expect(all).toContain(' …  6 waiting');
    expect(all).toContain('10 warnings: landfall status');
    expect(all).toContain(line);
  });

  it('shows everything in the end, when nothing is drawn over it any more', async () => {
    const terminal = new Terminal(80, 24);
    await watch(terminal, [
      stages('smoke', 'running', { warnings }),
      stages(undefined, 'applied', { warnings }),
    ]);
    expect(terminal.lines().filter((each) => each.startsWith('warning: '))).toHaveLength(10);
    expect(terminal.lines().join('\n')).not.toContain('goes on');
  });

  it('shows something where a serial console says that it has no size', async () => {
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

/** Looks at each of these and no further, as a person who ends it with Ctrl-C. */
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

/** What is no terminal. */
function log() {
  const pieces: string[] = [];
  const write = (text: string) => void pieces.push(text);
  return { isTTY: false, columns: 80, write, text: () => pieces.join('') };
}

describe('watching in a log', () => {
  it('writes one line a change, without colours', async () => {
    const screen = log();
    await watch(screen, history.slice(0, 5).concat(stages(undefined)));
    expect(screen.text().split('\n').slice(0, 4)).toEqual([
      'nothing is known of a first boot here yet',
      'fetching the release: 16 of 50 MB',
      '[ 1/15]   preflight: for a test',
      '[ 1/15]   preflight: done (1.2 s)',
    ]);
    expect(screen.text().match(/pulling ui/g)).toHaveLength(1);
    expect(screen.text()).not.toContain('\x1b');
  });

  it('says why it stopped', async () => {
    const screen = log();
    const error = {
      code: 'SSH_UNPROVEN',
      message: 'ssh: nobody could log in',
      problems: ['no key'],
      hint: 'Give one.',
      retriable: false,
    };
    await watch(screen, [stages('ssh', 'failed', { error })]);
    expect(screen.text()).toContain(
      'SSH_UNPROVEN: ssh: nobody could log in\n  no key\nhint: Give one.\nit continues automatically after the fix\n',
    );
  });
});

describe('a first boot that was interrupted', () => {
  const cutOff = { ...stages('images'), interrupted: true } as StagesStanding;

  it('is waited for where it goes on by itself', async () => {
    const screen = log();
    await watch(screen, [cutOff, cutOff, stages('images'), stages(undefined)]);
    expect(screen.text().match(/it goes on by itself/g)).toHaveLength(1);
    expect(screen.text()).toContain('[15/15]   report: done');
  });

  it('is over where a person ran it: bug of watching for ever after Ctrl-C', async () => {
    const screen = log();
    const last = { ...cutOff, installed: true };
    expect(await watch(screen, [last])).toBe(last);
    expect(screen.text()).toContain('interrupted; go on with: sudo landfall first-boot');
  });
});

describe('the end of watching', () => {
  it.each([
    ['all is up', stages(undefined)],
    ['it has failed', stages('ssh', 'failed')],
    ['it was up before', { kind: 'installed', release: '1.2.0' }],
  ] as const)('comes when %s', async (_case, last) => {
    expect(await watch(new Terminal(), [{ kind: 'unknown' }, last])).toBe(last);
  });
});
