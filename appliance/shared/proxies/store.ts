import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import { fileError } from '#files/file-error.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { settingsSchema } from './model/settings.ts';

const count = z.int().min(0).optional();

/** What a provider reports about a subscription in headers. Absent fields were not sent. */
const subscriptionInfoSchema = z.strictObject({
  /** Bytes. */
  upload: count,
  download: count,
  total: count,
  /** Seconds since 1970. */
  expire: count,
  /** Hours between updates. */
  updateInterval: count,
  /** Name of the file. */
  name: z.string().max(200).optional(),
});

export type SubscriptionInfo = z.infer<typeof subscriptionInfoSchema>;

const storedSchema = z.strictObject({
  version: z.literal(1),
  /** ISO 8601. */
  imported: z.iso.datetime(),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('file') }),
    z.strictObject({
      type: z.literal('subscription'),
      /** A secret. */
      url: z.string().max(4096),
      /** The client that its provider must see; absent: Landfall's own. */
      userAgent: z.string().max(256).optional(),
      info: subscriptionInfoSchema,
    }),
  ]),
  settings: settingsSchema,
});

/** The content of the file with imported proxies. It contains secrets. */
export type StoredProxies = z.infer<typeof storedSchema>;

/**
 * Reads the imported proxies; undefined if there are none.
 * @throws LandfallError CONFIG_INVALID, FILE_ACCESS
 */
export async function readStoredProxies(file: string): Promise<StoredProxies | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, file);
  }
  const stored = readJson(storedSchema, text);
  if (stored) return stored;
  // No cause: it would contain the text, which contains passwords.
  throw new LandfallError('CONFIG_INVALID', `${file} is not valid`, {
    hint: {
      en: 'Import the proxies again with `landfall route import`.',
      zh: '用 `landfall route import` 重新导入代理节点。',
    },
  });
}

/**
 * Replaces the imported proxies atomically. Only the user can read the file.
 * @throws LandfallError FILE_ACCESS, DISK_FULL
 */
export async function writeStoredProxies(file: string, stored: StoredProxies): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await replaceFile(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, file);
  }
}
