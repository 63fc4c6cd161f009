import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Account } from '../accounts.ts';
import { type AccountResult, exportAccount } from './export-account.ts';
import { type CreateOptions, createFolder, type NewFolder } from './new-folder.ts';
import { FolderNames, safeName } from './safe-name.ts';
import { UiApi } from './ui-api.ts';

/** What was exported. */
export interface ExportSummary {
  /** Absolute path, or the path that the user has given. */
  readonly folder: string;
  readonly accounts: number;
  readonly chats: number;
  readonly documents: number;
  /** Bytes. */
  readonly size: number;
  /** What could not be read, with the account. */
  readonly problems: readonly string[];
}

export interface ExportJob extends CreateOptions {
  /** Origin of the chat UI, such as `http://127.0.0.1:3000`. */
  readonly base: string;
  /** WEBUI_SECRET_KEY. */
  readonly secret: string;
  readonly accounts: readonly Account[];
  /** Content of site.json. */
  readonly site: string;
  /** Shows the progress of an account. */
  readonly start: (email: string) => AccountProgress;
}

export interface AccountProgress {
  onChats(count: number): void;
  onChat(): void;
  end(): void;
}

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Exports the chats and documents of every account, and the site, into a new folder.
 * @returns the summary; what could not be read is among its problems, and the rest is exported
 * @throws LandfallError FILE_EXISTS, FILE_MISSING, FILE_ACCESS, DISK_FULL, STACK_UNHEALTHY
 */
export async function exportChats(path: string, job: ExportJob): Promise<ExportSummary> {
  await using api = new UiApi(job.base);
  return await createFolder(path, (into) => fill(path, into, api, job), job);
}

async function fill(
  path: string,
  into: NewFolder,
  api: UiApi,
  { accounts, secret, site, start }: ExportJob,
): Promise<ExportSummary> {
  const administrator = accounts.find(({ role }) => role === 'admin');
  const names = new FolderNames();
  // Other files of the folder have these names.
  for (const name of ['README.txt', 'site.json']) names.take(name);
  await into.write('site.json', site);
  const results: Array<AccountResult & { readonly folder: string }> = [];
  for (const account of accounts) {
    const folder = names.take(safeName(account.email, { fallback: 'account', max: 80 }));
    const progress = start(plainLine(account.email));
    try {
      await into.makeFolder(folder);
      const { onChats, onChat } = progress;
      const job = { api, secret, account, administrator, into, folder, onChats, onChat };
      results.push({ folder, ...(await exportAccount(job)) });
    } finally {
      progress.end();
    }
  }
  const summary = {
    ...{ folder: path, accounts: accounts.length },
    chats: results.reduce((sum, { chats }) => sum + chats, 0),
    documents: results.reduce((sum, { documents }) => sum + documents, 0),
    problems: results.flatMap(({ folder, problems }) =>
      problems.map((problem) => `${folder}: ${problem}`),
    ),
  };
  await into.write('README.txt', readme(results, { ...summary, size: into.size }));
  return { ...summary, size: into.size };
}

/** Returns the index of the folder. */
function readme(
  results: ReadonlyArray<AccountResult & { readonly folder: string }>,
  { size, problems }: ExportSummary,
): string {
  const heads = [say('account', '账户'), say('chats', '对话'), say('documents', '文档')];
  const rows = results.map(({ folder, chats, documents }) => [folder, `${chats}`, `${documents}`]);
  const failed = [
    say('What could not be read:', '以下内容无法读取：'),
    ...problems.map((problem) => `- ${problem}`),
  ];
  const parts = [
    say(
      `Landfall exported this folder at ${formatTime(new Date())}: ${formatBytes(size)}.`,
      `Landfall 于 ${formatTime(new Date())} 导出，共 ${formatBytes(size)}。`,
    ),
    say(contents.en, contents.zh),
    formatTable([heads, ...rows]),
    ...(problems.length > 0 ? [failed.join('\n')] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const contents = {
  en: `Each account has a folder:

chats/*.md      the messages that the chat UI shows, to read
chats/*.json    all messages with all branches, as Open WebUI exports and imports a chat
documents/      uploaded files

site.json has the settings of the server. Passwords, keys, models, prompts, notes and knowledge collections are
not exported; the files of knowledge collections are.`,
  zh: `每个账户有一个目录：

chats/*.md      聊天界面显示的消息，供阅读
chats/*.json    全部消息和全部分支，格式与 Open WebUI 导出和导入的对话相同
documents/      上传的文件

site.json 是服务器的设置。密码、密钥、模型、提示词、笔记和知识库不在其中，但知识库里的文件已导出。`,
};
