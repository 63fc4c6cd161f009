import { z } from 'zod';
import { versionSchema } from '#contract/bundle/version.ts';
import { LandfallError } from '#contract/errors.ts';
import { transactionFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

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

/** Returns the open transaction, if there is one. @throws LandfallError STATE_INVALID */
export async function readTransaction(host: Host): Promise<Transaction | undefined> {
  const text = await readText(host, transactionFile);
  if (text === undefined) return undefined;
  const transaction = readJson(transactionSchema, text);
  if (transaction) return transaction;
  throw new LandfallError('STATE_INVALID', `/${transactionFile} is damaged`, {
    hint: 'Run `sudo landfall update discard`, then download the update again.',
  });
}

/** Writes the transaction atomically. It is on disk when this returns. */
export async function writeTransaction(host: Host, transaction: Transaction): Promise<void> {
  await writeText(host, transactionFile, `${JSON.stringify(transaction, null, 2)}\n`);
}

/** Ends the transaction. */
export async function endTransaction(host: Host): Promise<void> {
  await removeFile(host, transactionFile);
}
