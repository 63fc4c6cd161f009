import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { endingOf, signalGroup } from '../../../server/host/run/process-group.ts';

/** Reads the output of a program line by line. Tests use another implementation. */
export type ReadLines = (file: string, args: readonly string[]) => AsyncIterable<string>;

/** Seconds until a program that is followed is started again: timers are limited to 24 days. */
const longest = 20 * 24 * 3600;
/** The rest of a longer line is dropped. Characters. */
const max = 256 * 1024;

/**
 * Starts a program, and yields the lines of its output and its errors. They share a pipe: otherwise a
 * program that waits until one of two pipes is read would stop a merge that waits for the other.
 * The program runs only as fast as the lines are read, and ends with the reader.
 */
export const readLines: ReadLines = async function* (file, args) {
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', file, ...args], {
    env: { PATH: process.env.PATH, HOME: '/root', LC_ALL: 'C.UTF-8' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = () => signalGroup(child, 'SIGTERM');
  process.once('exit', end);
  const ended = endingOf(child, longest);
  try {
    yield* splitLines(child.stdout);
  } finally {
    process.off('exit', end);
    if (child.exitCode === null) end();
    await ended;
  }
};

/** Splits bytes into lines of limited length. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = (lines.pop() ?? '').slice(0, max);
    for (const line of lines) yield line.slice(0, max);
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
