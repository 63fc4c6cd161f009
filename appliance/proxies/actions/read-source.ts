import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { most } from '../model/settings.ts';
import { proxyFileError } from '../store/file-error.ts';
import { readStoredProxies, type StoredProxies } from '../store/stored.ts';
import { fetchSubscription } from '../subscription/fetch.ts';
import type { ProxiesContext } from './context.ts';

/** The content to import, and where it is from. */
interface Content {
  readonly bytes: Uint8Array;
  readonly source: StoredProxies['source'];
  /** Name for problems and for the result; contains no secret. */
  readonly name: string;
  /** Time at which reading the content must stop, in milliseconds since 1970. */
  readonly deadline: number;
}

/** Time to fetch and to read a source, in milliseconds. */
const timeLimit = 120_000;

const stdinName = 'standard input';

/**
 * Reads what to import: a file, standard input or a subscription. Standard input and the prompt can
 * have the URL of a subscription.
 * @param given a path, `-`, an https URL, or undefined for the prompt or standard input
 * @throws LandfallError USAGE, CONFIG_MISSING, FILE_…, NETWORK_…, HTTP_…, BLOB_SIZE
 */
export async function readSource(
  context: ProxiesContext,
  given: string | undefined,
  refresh: boolean,
): Promise<Content> {
  if (refresh) return await fetched(context, await storedUrl(context, given));
  if (given === undefined && context.askSecret) {
    return await fetched(context, (await context.askSecret('URL of the subscription')).trim());
  }
  if (given === undefined || given === '-') {
    const bytes = await readBounded(context.stdin, stdinName);
    const text = bytes.length <= 4096 ? Buffer.from(bytes).toString().trim() : '';
    if (/^https?:\/\/\S+$/i.test(text)) return await fetched(context, text);
    return { bytes, source: { type: 'file' }, name: stdinName, deadline: Date.now() + timeLimit };
  }
  if (/^https?:\/\//i.test(given)) {
    context.stderr.write(
      'warning: other users of this machine can see the URL in the list of processes; pass it on standard input\n',
    );
    return await fetched(context, given);
  }
  const path = resolve(context.cwd, given);
  const bytes = await readBounded(createReadStream(path), path);
  const deadline = Date.now() + timeLimit;
  return { bytes, source: { type: 'file' }, name: basename(path), deadline };
}

async function fetched(context: ProxiesContext, url: string): Promise<Content> {
  const note = (line: string) => void context.stderr.write(`${line}\n`);
  const deadline = Date.now() + timeLimit;
  const options = { network: context.network, note, timeout: timeLimit };
  const { bytes, info } = await fetchSubscription(url, options);
  const name = `subscription of ${new URL(url).host}`;
  return { bytes, source: { type: 'subscription', url, info }, name, deadline };
}

async function storedUrl(
  { file, command }: ProxiesContext,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) {
    throw new LandfallError('USAGE', '--refresh and a source exclude each other', {
      hint: 'Use one of them.',
    });
  }
  const source = (await readStoredProxies(file))?.source;
  if (source?.type === 'subscription') return source.url;
  throw new LandfallError('CONFIG_MISSING', 'no subscription was imported', {
    hint: `Run \`${command} import\` and enter the URL of the subscription.`,
  });
}

/** Stops at the first byte above the limit, because standard input can be endless. */
async function readBounded(stream: NodeJS.ReadableStream, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunks.at(-1)?.length ?? 0;
      if (size > most.bytes) break;
    }
  } catch (error) {
    throw proxyFileError(error, name);
  }
  return Buffer.concat(chunks);
}
