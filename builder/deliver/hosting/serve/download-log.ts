import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import type { Transfer } from '../../../base/progress/reporter.ts';

/** Where the progress of downloads is shown. */
interface Output {
  note(text: string): void;
  transfer(label: string, total: number): Pick<Transfer, 'advance' | 'end'>;
}

/** Shows a row for each running download, and a line for each that ended. */
export class DownloadLog {
  readonly #output: Output;
  /** Bytes that were sent. */
  sent = 0;
  /** Downloads that were sent completely. */
  completed = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  note(text: string): void {
    this.#output.note(text);
  }

  /** Follows a download to its end. `stream` reads the requested bytes of the file. */
  follow(name: string, request: IncomingMessage, response: ServerResponse, stream: Readable): void {
    const total = Number(response.getHeader('content-length'));
    const client = request.socket.remoteAddress ?? 'a client';
    const start = response.statusCode === 206 ? rangeOf(response) : undefined;
    const part = start === undefined ? '' : say(`, from ${start}`, `，从 ${start} 开始`);
    const transfer = this.#output.transfer(
      say(`${name} to ${client}`, `${name} 到 ${client}`),
      total,
    );
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      this.sent += chunk.length;
      transfer.advance(chunk.length);
    });
    response.once('close', () => {
      transfer.end();
      const isComplete = response.writableFinished;
      if (isComplete) this.completed += 1;
      const [size, most] = [formatBytes(total), formatBytes(bytes)];
      this.note(
        isComplete
          ? say(
              `sent ${name} to ${client}, ${size}${part}`,
              `已发送 ${name} 到 ${client}，${size}${part}`,
            )
          : say(
              `interrupted ${name} to ${client}, after ${most} at most${part}`,
              `中断：${name} 到 ${client}，最多已发送 ${most}${part}`,
            ),
      );
    });
  }
}

/** Returns the first byte of a response with a range: `12.3 MB`. */
function rangeOf(response: ServerResponse): string {
  const [, start] = /^bytes (\d+)-/.exec(String(response.getHeader('content-range'))) ?? [];
  return formatBytes(Number(start));
}
