import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Account } from '../accounts.ts';
import { signSession } from '../session.ts';
import { renderChat, timeText } from './markdown.ts';
import type { NewFolder } from './new-folder.ts';
import { FolderNames, safeName } from './safe-name.ts';
import {
  chatListSchema,
  chatSchema,
  type ExportedChat,
  fileListSchema,
  folderListSchema,
  type ListedFile,
} from './schemas.ts';
import type { UiApi } from './ui-api.ts';

/** What the export of an account needs. */
interface AccountExport {
  readonly api: UiApi;
  /** WEBUI_SECRET_KEY, with which sessions are made. */
  readonly secret: string;
  readonly account: Account;
  /** Reads for an account that may not sign in. */
  readonly administrator: Account | undefined;
  readonly into: NewFolder;
  /** Name of the account's folder. */
  readonly folder: string;
  /** Called with the number of chats, once they are listed. */
  readonly onChats: (count: number) => void;
  /** Called after each chat. */
  readonly onChat: () => void;
}

/** What was exported of an account, and what could not be read. */
export interface AccountResult {
  chats: number;
  documents: number;
  readonly problems: string[];
}

/** Pages after which a list does not end: a million entries. */
const maxPages = 20_000;

/**
 * Exports the documents and chats of an account, one at a time. What cannot be read is a problem in the
 * result.
 * @throws LandfallError STACK_UNHEALTHY, DISK_FULL; errors of the file system
 */
export async function exportAccount(job: AccountExport): Promise<AccountResult> {
  const result: AccountResult = { chats: 0, documents: 0, problems: [] };
  const documents = await exportDocuments(job, result);
  const folders = await foldersOf(job, result);
  const ids = (await attempt(result, 'the list of chats', () => chatIds(job))) ?? [];
  job.onChats(ids.length);
  if (ids.length > 0) await job.into.makeFolder(`${job.folder}/chats`);
  const names = new FolderNames();
  for (const id of ids) {
    await attempt(result, `chat ${safeId(id)}`, async () => {
      const { value, bytes } = await request(
        job,
        `/api/v1/chats/${encodeURIComponent(id)}`,
        chatSchema,
      );
      const path = `${job.folder}/chats/${names.take(nameOf(value))}`;
      const place = { folders: folders(value.folder_id), documents };
      // The list that Open WebUI exports itself, and imports.
      await job.into.save(`${path}.json`, ['[', ...bytes, ']\n']);
      await job.into.save(`${path}.md`, renderChat(value, place));
      result.chats += 1;
    });
    job.onChat();
  }
  return result;
}

/** Returns the IDs of all chats, each once: a chat that changes meanwhile moves to an earlier page. */
async function chatIds(job: AccountExport): Promise<string[]> {
  const lists = isReadByAnother(job)
    ? [`/api/v1/chats/list/user/${encodeURIComponent(job.account.id)}?`]
    : ['/api/v1/chats/?include_pinned=true&include_folders=true&', '/api/v1/chats/archived?'];
  const ids = new Set<string>();
  for (const list of lists) {
    for await (const found of pages(job, list, chatListSchema, (page) => page)) {
      for (const { id } of found) ids.add(id);
    }
  }
  return [...ids];
}

/** Exports the uploaded files. Returns their names, by ID. */
async function exportDocuments(
  job: AccountExport,
  result: AccountResult,
): Promise<Map<string, string>> {
  const files = (await attempt(result, 'the list of documents', () => filesOf(job))) ?? new Map();
  const done = new Map<string, string>();
  const names = new FolderNames();
  if (files.size > 0) await job.into.makeFolder(`${job.folder}/documents`);
  for (const [id, given] of files) {
    const name = names.take(safeName(given, { fallback: 'document', max: 120 }));
    await attempt(result, `document ${safeId(id)}`, async () => {
      const path = `/api/v1/files/${encodeURIComponent(id)}/content?attachment=true`;
      const content = job.api.file(path, sessionOf(job));
      await job.into.save(`${job.folder}/documents/${name}`, content);
      done.set(id, name);
      result.documents += 1;
    });
  }
  return done;
}

/** Returns the given names of the account's files, by ID. */
async function filesOf(job: AccountExport): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const list = '/api/v1/files/?content=false&';
  for await (const found of pages(job, list, fileListSchema, ({ items }) => items)) {
    const own = found.filter((file: ListedFile) => file.user_id === job.account.id);
    for (const { id, filename, meta } of own) files.set(id, meta?.name || filename);
  }
  return files;
}

/** Returns a function that names the folders around a chat, the outermost first. */
async function foldersOf(job: AccountExport, result: AccountResult) {
  const none = { value: [] };
  const list = isReadByAnother(job)
    ? none
    : await attempt(result, 'the list of folders', () =>
        request(job, '/api/v1/folders/', folderListSchema),
      );
  const folders = new Map((list ?? none).value.map((folder) => [folder.id, folder]));
  return (id: string | null | undefined): string[] => {
    const names: string[] = [];
    let folder = folders.get(id ?? '');
    // Folders that contain each other end after all of them.
    for (let left = folders.size; folder && left > 0; left -= 1) {
      names.unshift(folder.name);
      folder = folders.get(folder.parent_id ?? '');
    }
    return names;
  };
}

/** Requests pages until one is empty. @param list path that ends with `?` or `&` */
async function* pages<Schema extends z.ZodType, Item extends { readonly id: string }>(
  job: AccountExport,
  list: string,
  schema: Schema,
  itemsOf: (page: z.output<Schema>) => readonly Item[],
): AsyncGenerator<readonly Item[]> {
  let previous = '';
  for (let page = 1; page <= maxPages; page += 1) {
    const items = itemsOf((await request(job, `${list}page=${page}`, schema)).value);
    if (items.length === 0) return;
    const ids = items.map(({ id }) => id).join('\n');
    if (ids === previous) break;
    previous = ids;
    yield items;
  }
  throw new LandfallError('HTTP_STATUS', 'the list does not end');
}

async function request<Schema extends z.ZodType>(job: AccountExport, path: string, schema: Schema) {
  return await job.api.json(path, sessionOf(job), schema);
}

/** An account that waits for approval has no session, but an administrator may read its chats. */
function isReadByAnother({ account, administrator }: AccountExport): boolean {
  return administrator !== undefined && account.role !== 'user' && account.role !== 'admin';
}

/** Returns a new session: one lasts for minutes, and an export may take longer. */
function sessionOf(job: AccountExport): string {
  const { account, administrator, secret } = job;
  return signSession((isReadByAnother(job) && administrator) || account, secret);
}

/** Does a part of the work. Adds a problem and returns undefined if the chat UI does not allow it. */
async function attempt<Result>(
  { problems }: AccountResult,
  what: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'HTTP_STATUS') throw error;
    problems.push(`${what}: ${error.message}`);
    return undefined;
  }
}

/** Returns the name of a chat's files without their ending: `2026-11-24-Herons-1a2b3c4d`. */
function nameOf({ id, title, created_at: created }: ExportedChat): string {
  const options = { fallback: 'chat', max: 80 };
  const day = timeText(created).slice(0, 10) || 'undated';
  const name = `${day}-${safeName(title, options)}-${safeId(id).slice(0, 8)}`;
  return safeName(name, { ...options, max: 120 });
}

function safeId(id: string): string {
  return safeName(id, { fallback: 'unnamed', max: 40 });
}
