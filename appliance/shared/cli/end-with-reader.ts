/** Exit code of a program that SIGPIPE ends, which Node ignores: 128 plus the number of the signal. */
const readerGone = 141;

/**
 * Ends the program quietly when the reader of its output has gone, as other programs do after
 * `landfall inspect bundle.tar | head`.
 */
export function endWithReader(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(readerGone);
    });
  }
}
