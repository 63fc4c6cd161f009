import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { plainLine } from '#contract/text/plain-line.ts';
import { type Ending, endingOf } from './ending.ts';
import { LineSplitter } from './line-splitter.ts';
import { signalGroup } from './process-group.ts';

/** How a program ended, and its output. */
interface Output {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
  /** The last lines of stdout and stderr, newest last, as plain text. */
  readonly lastLines: readonly string[];
}

interface CaptureOptions {
  readonly seconds: number;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Bytes that are kept of each stream. */
const mostKept = 8 << 20;
const linesKept = 8;
/** Remaining output is read after the exit until a pause of this length has no output. Milliseconds. */
const pauseMs = 200;
const mostPauses = 20;

/**
 * Collects the output of a program until it exits or times out. Does not wait for background
 * processes that keep the pipes open.
 * @throws what `onLine` throws; the program is terminated first
 */
export async function capture(
  child: ChildProcessWithoutNullStreams,
  { seconds, onLine }: CaptureOptions,
): Promise<Output> {
  const lastLines: string[] = [];
  const thrown: unknown[] = [];
  const hear = (line: string) => {
    const plain = plainLine(line);
    if (plain === '') return;
    lastLines.push(plain);
    if (lastLines.length > linesKept) lastLines.shift();
    try {
      onLine?.(line);
    } catch (error) {
      thrown.push(error);
      signalGroup(child, 'SIGTERM');
    }
  };
  const outputs = [collect(child.stdout, hear), collect(child.stderr, hear)];
  const ending = await endingOf(child, seconds);
  await settle(outputs);
  const [stdout = '', stderr = ''] = outputs.map((output) => output.finish());
  if (thrown.length > 0) throw thrown[0];
  return { ending, stdout, stderr, lastLines };
}

/** Collects the beginning of a stream and emits its lines. */
function collect(stream: Readable, onLine: (line: string) => void) {
  const chunks: Buffer[] = [];
  const lines = new LineSplitter(onLine);
  let [seen, closed] = [0, false];
  stream.on('data', (chunk: Buffer) => {
    if (seen < mostKept) chunks.push(chunk.subarray(0, mostKept - seen));
    seen += chunk.length;
    lines.write(chunk);
  });
  stream.once('close', () => {
    closed = true;
  });
  return {
    isClosed: () => closed,
    seen: () => seen,
    finish: () => {
      stream.removeAllListeners('data').destroy();
      lines.end();
      return Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
    },
  };
}

/** Waits until all streams are closed or have no more output. */
async function settle(outputs: readonly ReturnType<typeof collect>[]): Promise<void> {
  const seen = () => outputs.reduce((sum, output) => sum + output.seen(), 0);
  for (let pause = 0; pause < mostPauses; pause += 1) {
    // One iteration of the event loop reads the available data.
    await setImmediate();
    if (outputs.every((output) => output.isClosed())) return;
    const before = seen();
    await sleep(pause === 0 ? 5 : pauseMs);
    await setImmediate();
    if (pause > 0 && seen() === before) return;
  }
}
