import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LoadFigures, load } from './load.ts';
import { type Peer, peers } from './peers.ts';

/**
 * Compares relays: the same requests to the same provider, in alternating rounds on one machine. Words on the
 * command line select peers. `--requests 1000` ends each measurement after so many answers: on a busy machine, only
 * the CPU for one can be compared.
 */
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string' } },
});
const most = values.requests === undefined ? undefined : Number(values.requests);
const rounds = 5;
/** Milliseconds of a measurement. */
const time = most === undefined ? 4000 : 600_000;

interface Figures extends LoadFigures {
  /** CPU of the program for one request, in microseconds, and of its main thread. */
  readonly cpu: number;
  readonly main: number;
}

interface Running {
  readonly peer: Peer;
  readonly child: ChildProcess;
  readonly port: number;
}

const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'landfall-bench-relay-'));
try {
  const chosen = peers.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const program = fileURLToPath(new URL('upstream.ts', import.meta.url));
  const provider = await printedPort(run(process.execPath, [program]));
  const running: Running[] = [];
  for (const peer of chosen) running.push(await start(peer, provider));
  for (const stream of [false, true]) console.log(await compare(running, stream));
  for (const { peer, child } of running)
    console.log(`memory of ${peer.name}: ${memoryOf(child.pid ?? 0)} MB at most`);
} finally {
  // The workers of nginx would outlive a killed master.
  for (const child of children) child.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

async function start(peer: Peer, provider: number): Promise<Running> {
  const { command, args, env, port } = await peer.start(provider, folder);
  const child = run(command, args, env);
  if (port === undefined) return { peer, child, port: await printedPort(child) };
  child.stdout?.resume();
  while (!(await accepts(port))) await sleep(100);
  return { peer, child, port };
}

/** Returns the port in the first line of a program: alone, or in the URL of the relay. */
async function printedPort({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('the program has no output');
  const [line] = await once(createInterface({ input: stdout }), 'line');
  stdout.resume();
  return Number(/(\d+)(?:"|$)/.exec(`${line}`.replace(/.*"listening":/, ''))?.[1]);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function compare(running: readonly Running[], stream: boolean): Promise<string> {
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const each of round % 2 === 0 ? running : running.toReversed())
      for (const connections of each.peer.connections) {
        const key = `${each.peer.name}\t${connections}`;
        figures.set(key, [...(figures.get(key) ?? []), await measure(each, stream, connections)]);
      }
  const rows = [...figures].map(([key, of]) => {
    const middle = (field: keyof Figures) => median(of.map((each) => each[field]));
    const failed = of.reduce((sum, each) => sum + each.failed, 0);
    const times = [
      middle('rate').toFixed(0),
      middle('median').toFixed(1),
      middle('p99').toFixed(0),
    ];
    const numbers = [
      ...(most === undefined ? times : times.map(() => '')),
      ...[middle('cpu').toFixed(0), middle('main').toFixed(0), `${failed}`],
    ];
    return `| ${[...key.split('\t'), ...numbers].join(' | ')} |`;
  });
  return [
    `\n${stream ? 'Streams of 20 events' : 'Whole answers'}, medians of ${rounds} alternating rounds of ${most ? `${most} requests` : `${time / 1000} s`}:\n`,
    '| program | connections | in a second | first byte, ms | of 99 %, ms | CPU for one, µs | of the main thread | failed |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

async function measure(
  { peer, child, port }: Running,
  stream: boolean,
  connections: number,
): Promise<Figures> {
  const body = JSON.stringify({
    ...{ model: 'gpt-5-mini', stream, max_tokens: 100 },
    messages: [{ role: 'user', content: 'Write forty words about the sea, please.' }],
  });
  const { headersOf = () => ({}) } = peer;
  const pid = child.pid ?? 0;
  const [cpu, main] = [cpuOf(pid), mainCpuOf(pid)];
  const found = await load({
    ...{ port, path: '/v1/chat/completions', headersOf, body, connections, time, most },
  });
  const forOne = (since: number, now: number) => (now - since) / found.answers;
  return { ...found, cpu: forOne(cpu, cpuOf(pid)), main: forOne(main, mainCpuOf(pid)) };
}

/** Returns the CPU time of a process and its children in microseconds (proc(5), in ticks of 10 ms). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const below = children.filter(Boolean).map((child) => cpuOf(Number(child)));
  const own = (Number(fields[11]) + Number(fields[12])) * 10_000;
  return below.reduce((sum, each) => sum + each, own);
}

/** Returns the CPU time of the main thread of a process in microseconds. */
function mainCpuOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
}

function memoryOf(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
