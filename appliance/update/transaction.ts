import { z } from 'zod';
import { versionSchema } from '#contract/bundle/version.ts';
import { transactionFile } from '#contract/server-paths.ts';
import { removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';

const transactionSchema = z.strictObject({
  schema: z.literal(1),
  id: z.uuid(),
  kind: z.literal('update'),
  /** Versions. */
  from: versionSchema,
  to: versionSchema,
  /** SHA-256 of release.json of `to`, 64 hex digits. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * `downloading`: its files arrive in a folder of their own. `staged`: its folder is complete, and
   * Docker has its images.
   */
  state: z.enum(['downloading', 'staged']),
});

/** An update that has begun and not ended. */
export type Transaction = z.infer<typeof transactionSchema>;

/** Returns the open transaction; undefined if there is none or its file is damaged. */
export async function readTransaction(host: Host): Promise<Transaction | undefined> {
  return await readJsonFile(host, transactionFile, transactionSchema);
}

/** Writes the transaction atomically. It is on disk when this returns. */
export async function writeTransaction(host: Host, transaction: Transaction): Promise<void> {
  await writeText(host, transactionFile, `${JSON.stringify(transaction, null, 2)}\n`);
}

/** Ends the transaction. */
export async function endTransaction(host: Host): Promise<void> {
  await removeFile(host, transactionFile);
}
