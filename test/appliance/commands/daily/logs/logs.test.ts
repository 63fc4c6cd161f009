import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { setTimeZone } from '#contract/text/time-zone.ts';
import { parseSince } from '../../../../../appliance/commands/daily/logs/command.ts';
import {
  cleanText,
  type Entry,
  type LogFlags,
} from '../../../../../appliance/commands/daily/logs/entry.ts';
import { lastOf, mergeByTime } from '../../../../../appliance/commands/daily/logs/merge.ts';
import {
  type ReadLines,
  readLines,
  splitLines,
} from '../../../../../appliance/commands/daily/logs/read-lines.ts';
import { showLogs } from '../../../../../appliance/commands/daily/logs/show-logs.ts';
import { followLogs } from '../../../../../appliance/commands/daily/logs/sources.ts';
import { contextFor, smallSite } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const entry = (time: number, source = 'ui'): Entry => ({
  ...{ time, source, kind: 'container', text: `${source} ${time}` },
});

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('the merge of logs', () => {
  it('sorts by time, and keeps the order of equal times', async () => {
    const logs = [each([entry(1), entry(4)]), each([]), each([entry(1, 'b'), entry(2, 'b')])];
    const merged = await listOf(mergeByTime(logs));
    expect(merged.map(({ text }) => text)).toEqual(['ui 1', 'b 1', 'b 2', 'ui 4']);
  });

  it('reads one line of each log ahead, whatever their sizes', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield entry(read);
      }
    }
    const merged = mergeByTime([endless(), each([entry(5, 'b')])]);
    for (let count = 0; count < 10; count += 1) await merged.next();
    await merged.return(undefined);
    expect(read).toBeLessThanOrEqual(11);
  });

  it('closes the other logs when one fails', async () => {
    let closed = false;
    async function* open() {
      try {
        for (let time = 0; ; time += 1) yield entry(time);
      } finally {
        closed = true;
      }
    }
    async function* failing() {
      yield entry(0);
      throw new Error('broken');
    }
    await expect(listOf(mergeByTime([open(), failing()]))).rejects.toThrow('broken');
    expect(closed).toBe(true);
  });

  it.each([
    [3, [7, 8, 9]],
    [20, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('keeps the last %i lines', async (count, times) => {
    const all = each(Array.from({ length: 10 }, (_, time) => entry(time)));
    expect((await lastOf(all, count)).map(({ time }) => time)).toEqual(times);
  });
});

describe('a line of a log', () => {
  it('removes colours, control characters and cursor movement, and keeps the indentation', () => {
    const text = '\t\u001b[31mred\u001b[0m\u0007 \u202eabc\r\u001b]0;title\u0007 ';
    expect(cleanText(text, (line) => line)).toBe('    red abc');
  });

  it('truncates a line after its secrets were removed', () => {
    const secret = 'a'.repeat(200);
    const text = cleanText(`${'x'.repeat(3900)}${secret}`, (line) => line.replace(secret, '***'));
    expect(text).toBe(`${'x'.repeat(3900)}***`);
    expect(cleanText('y'.repeat(100_000), (line) => line)).toHaveLength(4000);
  });
});

describe('the output of a program', () => {
  it('splits bytes into lines of limited length, also inside of a character', async () => {
    const bytes = Buffer.from(`é\n${'x'.repeat(600_000)}\nlast`);
    const chunks = each([bytes.subarray(0, 1), bytes.subarray(1)]);
    const lines = await listOf(splitLines(chunks));
    expect(lines.map(({ length }) => length)).toEqual([1, 256 * 1024, 4]);
    expect(lines[0]).toBe('é');
  });

  it('reads both streams of a program in order, and ends it with the reader', async () => {
    const both = readLines('sh', ['-c', 'echo 1; echo 2 >&2; echo 3']);
    expect(await listOf(both)).toEqual(['1', '2', '3']);
    for await (const line of readLines('yes', [])) {
      expect(line).toBe('y');
      break;
    }
  });
});

it.each([
  ['30m', 1_800_000],
  ['1h', 3_600_000],
  ['2d', 172_800_000],
])('parses the duration %s', (text, milliseconds) => {
  expect(parseSince(text)).toBe(milliseconds);
});

it('begins with yesterday at midnight in the time zone of the site', () => {
  vi.useFakeTimers({ now: new Date('2026-11-26T01:30:00Z'), toFake: ['Date'] });
  setTimeZone('Asia/Shanghai');
  try {
    const hours = (text: string) => Math.floor(parseSince(text) / 360_000) / 10;
    expect([hours('today'), hours('yesterday')]).toEqual([9.5, 33.5]);
  } finally {
    setTimeZone('UTC');
    vi.useRealTimers();
  }
});

const programs: Readonly<Record<string, readonly string[]>> = {
  'landfall-ui': [
    '2026-11-26T10:00:00.100000001Z started',
    '2026-11-26T10:00:02.5Z \u001b[31mERROR\u001b[0m key sk-abcdefgh12345678 refused',
  ],
  'landfall-gateway': ['2026-11-26T10:00:01Z GET /?token=abcdef123456 HTTP/1.1 tiny-secret'],
  journalctl: [
    'not JSON',
    JSON.stringify({
      ...{ __REALTIME_TIMESTAMP: '1795687200200000', MESSAGE: 'checked\nall reachable' },
      _SYSTEMD_UNIT: 'landfall-route.service',
    }),
    JSON.stringify({
      ...{ __REALTIME_TIMESTAMP: '1795687203000000', MESSAGE: [79, 75] },
      ...{ UNIT: 'landfall-tls.timer', _SYSTEMD_UNIT: 'init.scope' },
    }),
  ],
};

/** Runs the command with simulated programs, and returns its output. */
async function logs(names: readonly string[], flags: LogFlags = {}, isTTY = false) {
  const calls: string[] = [];
  const read: ReadLines = (file, args) => {
    calls.push([file, ...args].join(' '));
    return each(programs[file] ?? programs[args.at(-1) ?? ''] ?? []);
  };
  const site = { ...smallSite, components: { chat: true } };
  const host = TemporaryHost.with(
    {
      [siteFile]: JSON.stringify(site),
      'etc/landfall/secrets/TINYPROXY_PASSWORD': 'tiny-secret\n',
      'etc/systemd/system/landfall-route.service': '',
      'etc/systemd/system/docker.service': '',
    },
    {
      'docker ps': ['ui', 'gateway', 'chat']
        .map((name) => `${name}\trunning\tFalse\tUp`)
        .join('\n'),
    },
  );
  const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  const terminal = { stdout, stderr, env: {}, read };
  await showLogs(contextFor(host, { site }), names, flags, terminal);
  const text = (stream: PassThrough) => String(stream.read() ?? '');
  return { out: text(stdout), err: text(stderr), calls };
}

describe('landfall logs', () => {
  it('merges containers and units by time, without keys, tokens and colours', async () => {
    const { out, calls } = await logs([]);
    expect(out).toBe(`2026-11-26 10:00:00 ui        | started
2026-11-26 10:00:00 route     | checked
2026-11-26 10:00:00 route     | all reachable
2026-11-26 10:00:01 gateway   | GET /?token=*** HTTP/1.1 ***
2026-11-26 10:00:02 ui        | ERROR key *** refused
2026-11-26 10:00:03 tls       | OK
`);
    expect(calls).toContain('docker logs --timestamps --tail 200 landfall-ui');
    expect(calls[0]).toMatch(/^journalctl .*--unit landfall-\* --lines 200$/);
  });

  it('colours each source on a terminal', async () => {
    const { out } = await logs(['ui', 'gateway'], {}, true);
    // The escape sequences of cyan and green.
    expect(out).toContain('\u001b[36mgateway');
    expect(out).toContain('\u001b[32mui');
  });

  it('explains that Docker keeps no log of NextChat', async () => {
    const { out, err, calls } = await logs(['chat']);
    expect(err).toMatch(/^chat: Docker keeps no log of it.*docker inspect .* landfall-chat\n$/);
    expect([out, calls]).toEqual(['', []]);
  });

  it('shows the last lines with a text in any case, and searches the whole log', async () => {
    const { out, calls } = await logs([], { grep: 'error', lines: 1 });
    expect(out).toMatch(/^\S+ \S+ ui +\| ERROR key \*\*\* refused\n$/);
    expect(calls.join()).not.toContain('--tail');
    expect((await logs([], { grep: 'sk-abcdefgh' })).out).toBe('');
  });

  it('passes a duration as a time to Docker and to the journal', async () => {
    const { calls } = await logs(['ui', 'route'], { since: 3_600_000 });
    expect(calls[1]).toMatch(/^docker logs --timestamps --since \d{4}-\S+Z landfall-ui$/);
    expect(calls[0]).toMatch(/--unit landfall-route.service --since @\d{10} --lines all$/);
  });

  it('prints one JSON object per line', async () => {
    const { out } = await logs(['ui'], { json: true });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { time: '2026-11-26T10:00:00.100Z', source: 'ui', kind: 'container', text: 'started' },
      expect.objectContaining({ text: 'ERROR key *** refused' }),
    ]);
  });

  it('rejects an unknown name with the names of this server', async () => {
    await expect(logs(['nginx'])).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Choose from: chat, gateway, ui, route.',
    });
  });
});

it('goes on with the log of a container that was restarted, without repeating lines', async () => {
  const outputs = [
    ['2026-11-26T10:00:01Z one', 'Error response from daemon: no such container'],
    ['2026-11-26T10:00:01Z one', '2026-11-26T10:00:02Z two'],
  ];
  const calls: string[] = [];
  const read: ReadLines = (_file, args) => {
    calls.push(args.join(' '));
    return each(outputs.shift() ?? []);
  };
  const chosen = { containers: ['ui'], units: [], silent: [] };
  const containerOf = async (name: string) => `landfall-${name}`;
  const [log] = followLogs({ read, containerOf }, chosen, Date.parse('2026-11-26T10:00:00Z'));
  const found: string[] = [];
  for await (const { text } of log ?? []) {
    found.push(text);
    if (found.length === 2) break;
  }
  expect(found).toEqual(['one', 'two']);
  expect(calls).toEqual([
    'logs --timestamps --follow --since 2026-11-26T10:00:00.000Z landfall-ui',
    'logs --timestamps --follow --since 2026-11-26T10:00:01.000Z landfall-ui',
  ]);
});
