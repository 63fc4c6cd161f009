import type { Readable, Writable } from 'node:stream';
import { select } from '@clack/prompts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';
import { unlessCancelled } from './unless-cancelled.ts';

interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks whether the server installs the release of the package, which is the default. */
export async function asksForPackaged(
  { product, version }: PackagedRelease,
  { input, output }: Streams,
): Promise<boolean> {
  const options = [
    { value: true, label: `${product} ${version}: published and signed by its project` },
    { value: false, label: 'your own release, which you build, sign and upload' },
  ];
  const message = 'Which release should the server install?';
  const streams = { input: input as Readable, output: output as Writable };
  return await unlessCancelled(await select({ ...streams, message, options, initialValue: true }));
}
