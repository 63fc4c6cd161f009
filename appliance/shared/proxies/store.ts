import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
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
    throw proxyFileError(error, file);
  }
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    // No cause: it would contain the text, which contains passwords.
    throw new LandfallError('CONFIG_INVALID', `${file} is not valid`, {
      hint: 'Import the proxies again with `landfall route import`.',
    });
  }
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
    throw proxyFileError(error, file);
  }
}

const meanings: Readonly<Record<string, readonly [code: ErrorCode, text: string, hint: string]>> = {
  ENOENT: ['FILE_MISSING', 'does not exist', 'Check the path.'],
  ENOTDIR: ['FILE_MISSING', 'does not exist', 'Check the path.'],
  EISDIR: ['FILE_ACCESS', 'is a folder', 'Use the path of a file.'],
  EACCES: ['FILE_ACCESS', 'no permission', 'Check the permissions of the file and of its folder.'],
  EPERM: ['FILE_ACCESS', 'no permission', 'Check the permissions of the file and of its folder.'],
  EROFS: ['FILE_ACCESS', 'the file system is read-only', 'Choose another path.'],
  ENOSPC: ['DISK_FULL', 'the disk is full', 'Free disk space, or choose another path.'],
};

/** Converts an error of the file system to a LandfallError. Returns other errors unchanged. */
export function proxyFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!Object.hasOwn(meanings, code)) return error;
  const [family, text, hint] = meanings[code] ?? ['FILE_ACCESS', code, ''];
  return new LandfallError(family, `${path}: ${text}`, { hint, cause: error });
}
