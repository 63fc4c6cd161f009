import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '#contract/trust/digest.ts';

/** Compares keys with a budget with keys without one: 500 streams at once, alternately. */
const streams = 500;
const rounds = 5;
const keys = ['plain', 'budgeted'] as const;
type Key = (typeof keys)[number];

/** CPU of the relay in milliseconds, and the median time to the first byte. */
interface Figures {
  readonly cpu: number;
  readonly firstByte: number;
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

async function compare(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-bench-relay-'));
  const provider = start(pathOf('stream-provider.ts'));
  const relay = start(pathOf('../../../appliance/relay/node/main.ts'), {
    LANDFALL_RELAY_CONFIG: join(folder, 'relay.json'),
    OPENAI_API_KEY: 'sk-bench-0123456789',
  });
  try {
    const port = Number(await firstLine(provider()));
    await writeFile(join(folder, 'relay.json'), JSON.stringify(settings(folder, port)));
    const child = relay();
    const { listening } = JSON.parse(await firstLine(child));
    const figures: Record<Key, Figures[]> = { plain: [], budgeted: [] };
    // The first round of each warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const key of round % 2 === 0 ? keys : keys.toReversed()) {
        const found = await measure(child.pid ?? 0, listening, key);
        if (round > 0) figures[key].push(found);
      }
    }
    console.log(formatFigures(figures));
    console.log(`memory of the relay: ${memoryOf(child.pid ?? 0)} MB`);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

const started: ChildProcess[] = [];

function start(file: string, env: NodeJS.ProcessEnv = {}): () => ChildProcess {
  return () => {
    const child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    started.push(child);
    return child;
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the program has no output');
  const lines = createInterface({ input: child.stdout });
  const [line] = await once(lines, 'line');
  return `${line}`;
}

function settings(folder: string, port: number): object {
  const usage = join(folder, 'usage');
  mkdirSync(usage);
  const limits = { requests_per_minute: 100_000, concurrency: 1000 };
  return {
    listen: { host: '127.0.0.1', port: 0 },
    providers: { openai: { base_url: `http://127.0.0.1:${port}/v1` } },
    concurrency: 1000,
    usage_folder: usage,
    keys: [
      { name: 'plain', sha256: sha256Hex('plain'), limits },
      {
        ...{ name: 'budgeted', sha256: sha256Hex('budgeted'), limits },
        budget: { tokens_per_day: 1e12, tokens_per_month: 1e12, requests_per_day: 1e9 },
      },
    ],
  };
}

async function measure(pid: number, url: string, key: Key): Promise<Figures> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const before = cpuOf(pid);
  // Not all in the same moment: the queue would hide the time of a single request.
  const times = await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 4));
      return stream(agent, `${url}/v1/chat/completions`, key);
    }),
  );
  return { cpu: cpuOf(pid) - before, firstByte: median(times) };
}

/** Returns the milliseconds to the first byte of the body. */
async function stream(agent: Agent, url: string, key: Key): Promise<number> {
  const began = performance.now();
  const body = JSON.stringify({
    ...{ model: 'gpt-5-mini', stream: true, max_tokens: 100 },
    messages: [{ role: 'user', content: 'Write forty words about the sea, please.' }],
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = request(url, { method: 'POST', agent, headers });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
  await once(answer, 'data');
  const time = performance.now() - began;
  await once(answer, 'end');
  return time;
}

/** Returns the CPU time of a process in milliseconds (proc(5), fields 14 and 15, in ticks of 10 ms). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryOf(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function formatFigures(figures: Record<Key, readonly Figures[]>): string {
  // The round that other programs disturbed least.
  const of = (key: Key, field: keyof Figures) =>
    Math.min(...figures[key].map((each) => each[field]));
  const rows = keys.map(
    (key) =>
      `${key.padEnd(9)} ${of(key, 'cpu').toFixed(0)} ms CPU, ${of(key, 'firstByte').toFixed(1)} ms to the first byte`,
  );
  const more = (of('budgeted', 'cpu') / of('plain', 'cpu') - 1) * 100;
  const later = of('budgeted', 'firstByte') - of('plain', 'firstByte');
  return [...rows, `budgets: ${more.toFixed(1)} % more CPU, ${later.toFixed(1)} ms later`].join(
    '\n',
  );
}

await compare();
