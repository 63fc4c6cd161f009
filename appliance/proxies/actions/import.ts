import { readStoredProxies, type StoredProxies, writeStoredProxies } from '../store/stored.ts';
import { type Imported, readProxies } from '../subscription/read.ts';
import type { ProxiesContext } from './context.ts';
import { readSource } from './read-source.ts';
import { importResult, importTable } from './result.ts';
import { writeDetails } from './summary.ts';

/** Options of `landfall route import`. */
export interface ImportFlags {
  readonly json?: boolean;
  readonly refresh?: boolean;
  /** Lists every entry that is left out. */
  readonly details?: boolean;
  /** Fails at any problem. */
  readonly strict?: boolean;
}

/**
 * Imports proxies, and leaves out entries that cannot be imported. The proxies of an earlier import are replaced only after everything succeeded.
 * @throws LandfallError USAGE, CONFIG_…, FILE_…, NETWORK_…, HTTP_…, BLOB_SIZE
 */
export async function importAction(
  context: ProxiesContext,
  given: string | undefined,
  { json, refresh = false, details, strict }: ImportFlags,
): Promise<void> {
  const { file, stderr, stdout, next } = context;
  let imported: Imported;
  let source: StoredProxies['source'];
  let name: string;
  try {
    const content = await readSource(context, given, refresh);
    ({ source, name } = content);
    imported = readProxies(content.bytes, { file: name, strict, deadline: content.deadline });
  } catch (error) {
    await reportKept(context);
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
  if (next !== undefined) stdout.write(`To use them now, run: ${next}\n`);
}

/** A file that cannot be read is replaced by the next import, so it is no reason to fail here. */
async function reportKept({ file, stderr }: ProxiesContext): Promise<void> {
  const stored = await readStoredProxies(file).catch(() => undefined);
  if (stored) stderr.write('The proxies of the last import are unchanged.\n');
}
