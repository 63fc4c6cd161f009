import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Standing } from '../../../../appliance/progress/standing.ts';
import { watchStanding } from '../../../../appliance/progress/terminal/watch.ts';
import { statusOf } from '../status-of.ts';
import { Terminal } from './terminal.ts';

const stages = (...given: Parameters<typeof statusOf>): Standing => ({
  kind: 'stages',
  status: statusOf(...given),
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
    expect(shown[0]).toBe('landfall 1.2.0: all is up, after 4 min 10 s');
    expect(shown.join('\n')).not.toMatch(/pulling|waiting|nothing is known/);
  });

  it('draws in place on a narrow one too, where lines go on below', async () => {
    const terminal = new Terminal(30);
    const warnings = ['a warning that is much longer than this terminal is wide'];
    await watch(terminal, [
      stages('images', 'running', { warnings }),
      stages('smoke', 'running', { warnings, line: 'asking the chat UI for its first page now' }),
      stages(undefined),
    ]);
    expect(terminal.lines().filter((line) => line.includes('preflight'))).toHaveLength(1);
    expect(terminal.lines().join('\n')).not.toContain('warning');
  });
});

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
    };
    await watch(screen, [stages('ssh', 'failed', { error })]);
    expect(screen.text()).toContain(
      'SSH_UNPROVEN: ssh: nobody could log in\nno key\nhint: Give one.\n',
    );
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
