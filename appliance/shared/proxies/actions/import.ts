import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { fileError } from '#files/file-error.ts';
import type { NetworkOptions } from '#http/options.ts';
import { limits } from '../model/settings.ts';
import { type Imported, readProxies } from '../read-proxies.ts';
import { readStoredProxies, type StoredProxies, writeStoredProxies } from '../store.ts';
import { fetchSubscription, otherClient } from '../subscription.ts';
import { importResult, importTable, writeDetails } from './result.ts';

/** What the actions need from a program, so that the builder and the server share them. */
export interface ProxiesContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly cwd: string;
  /** Absolute path of the file with the imported proxies. */
  readonly file: string;
  /** The active route. */
  readonly network: NetworkOptions;
  /** Asks for a secret without echo; undefined if the user cannot be prompted. */
  readonly askSecret: ((message: string) => Promise<string>) | undefined;
  /** The command that uses the imported proxies, if there is one. */
  readonly next: string | undefined;
  /** The command for hints: `sudo landfall route`. */
  readonly command: string;
}

/** Options of `landfall route import`. */
export interface ImportFlags {
  readonly json?: boolean;
  readonly refresh?: boolean;
  /** The client that the provider of a subscription sees. */
  readonly userAgent?: string;
  /** Lists every entry that is left out. */
  readonly details?: boolean;
  /** Fails at any problem. */
  readonly strict?: boolean;
}

/**
 * Imports proxies, and leaves out entries that cannot be imported. The proxies of an earlier import
 * are replaced only after everything succeeded.
 * @throws LandfallError USAGE, CONFIG_…, FILE_…, NETWORK_…, HTTP_…, BLOB_SIZE
 */
export async function importAction(
  context: ProxiesContext,
  argument: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  const { file, stderr, stdout, next } = context;
  const { json, details, strict } = flags;
  let imported: Imported;
  let source: StoredProxies['source'];
  let name: string;
  try {
    const content = await readSource(context, argument, flags);
    ({ source, name } = content);
    imported = readContent(content, strict);
  } catch (error) {
    await reportUnchanged(context);
    throw error;
  }
  const { settings } = imported;
  const date = new Date();
  await writeStoredProxies(file, { version: 1, imported: date.toISOString(), source, settings });
  if (json) {
    stdout.write(`${JSON.stringify(importResult(imported, source, file))}\n`);
    return;
  }
  if (details) writeDetails(stderr, imported.report);
  stdout.write(`${importTable(imported, source, { file, name, date })}\n`);
  if (next !== undefined) stdout.write(`${inLanguage(texts.next)}${next}\n`);
}

/** A file that cannot be read is replaced by the next import, so it is no reason to fail here. */
async function reportUnchanged({ file, stderr }: ProxiesContext): Promise<void> {
  const stored = await readStoredProxies(file).catch(() => undefined);
  if (stored) stderr.write(`${inLanguage(texts.unchanged)}\n`);
}

const texts = {
  next: { en: 'To use them now, run: ', zh: '立即使用：' },
  unchanged: {
    en: 'The proxies of the last import are unchanged.',
    zh: '上次导入的节点保持不变。',
  },
  url: { en: 'URL of the subscription', zh: '订阅链接' },
  visible: {
    en: 'warning: other users of this machine can see the URL in the list of processes; pass it on standard input',
    zh: '警告：这台机器的其他用户可以在进程列表中看到链接；请通过标准输入传入',
  },
} as const;

/** A subscription that cannot be read may be meant for other clients. */
function readContent({ bytes, source, name, deadline }: Content, strict?: boolean): Imported {
  try {
    return readProxies(bytes, { file: name, strict, deadline });
  } catch (error) {
    if (source.type === 'file' || !(error instanceof LandfallError)) throw error;
    const { code, message, hint = '', problems } = error;
    throw new LandfallError(code, message, {
      hint: `${hint} ${inLanguage(otherClient)}`,
      problems,
    });
  }
}

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

const stdinName = { en: 'standard input', zh: '标准输入' };

/**
 * Reads what to import: a file, standard input or a subscription. Standard input and the prompt can
 * have the URL of a subscription.
 * @param argument a path, `-`, an https URL, or undefined for the prompt or standard input
 * @throws LandfallError USAGE, CONFIG_MISSING, FILE_…, NETWORK_…, HTTP_…, BLOB_SIZE
 */
async function readSource(
  context: ProxiesContext,
  argument: string | undefined,
  { refresh = false, userAgent }: ImportFlags,
): Promise<Content> {
  const fetched = (url: string) => fetchContent(context, url, userAgent);
  if (refresh) {
    const { url, userAgent: known } = await storedSubscription(context, argument);
    return await fetchContent(context, url, userAgent ?? known);
  }
  if (argument === undefined && context.askSecret) {
    return await fetched((await context.askSecret(inLanguage(texts.url))).trim());
  }
  if (argument === undefined || argument === '-') {
    const name = inLanguage(stdinName);
    const bytes = await readBounded(context.stdin, name);
    const text = bytes.length <= 4096 ? Buffer.from(bytes).toString().trim() : '';
    if (/^https?:\/\/\S+$/i.test(text)) return await fetched(text);
    return { bytes, source: { type: 'file' }, name, deadline: Date.now() + timeLimit };
  }
  if (/^https?:\/\//i.test(argument)) {
    context.stderr.write(`${inLanguage(texts.visible)}\n`);
    return await fetched(argument);
  }
  const path = resolve(context.cwd, argument);
  const bytes = await readBounded(createReadStream(path), path);
  const deadline = Date.now() + timeLimit;
  return { bytes, source: { type: 'file' }, name: basename(path), deadline };
}

async function fetchContent(
  context: ProxiesContext,
  url: string,
  userAgent: string | undefined,
): Promise<Content> {
  const note = (line: string) => void context.stderr.write(`${translated(line)}\n`);
  const deadline = Date.now() + timeLimit;
  const options = { network: context.network, note, timeout: timeLimit, userAgent };
  const { bytes, info } = await fetchSubscription(url, options);
  const { host } = new URL(url);
  const name = inLanguage({ en: `subscription of ${host}`, zh: `${host} 的订阅` });
  const client = userAgent === undefined ? {} : { userAgent };
  return { bytes, source: { type: 'subscription', url, ...client, info }, name, deadline };
}

async function storedSubscription({ file, command }: ProxiesContext, argument: string | undefined) {
  if (argument !== undefined) {
    throw new LandfallError('USAGE', '--refresh and a source exclude each other', {
      hint: { en: 'Use one of them.', zh: '只用其中一个。' },
    });
  }
  const source = (await readStoredProxies(file))?.source;
  if (source?.type === 'subscription') return source;
  throw new LandfallError('CONFIG_MISSING', 'no subscription was imported', {
    hint: {
      en: `Run \`${command} import\` and enter the URL of the subscription.`,
      zh: `运行 \`${command} import\`，并输入订阅地址。`,
    },
  });
}

/** Stops at the first byte above the limit, because standard input can be endless. */
async function readBounded(stream: NodeJS.ReadableStream, name: string): Promise<Uint8Array> {
  try {
    return await readAtMost(Readable.from(stream).map(Buffer.from), limits.bytes + 1);
  } catch (error) {
    throw fileError(error, name);
  }
}
