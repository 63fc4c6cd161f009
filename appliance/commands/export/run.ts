import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { canRedraw } from '#terminal/screen.ts';
import { type Account, listAccounts } from '../../server/chats/accounts.ts';
import {
  type AccountProgress,
  type ExportSummary,
  exportChats,
} from '../../server/chats/export/export-chats.ts';
import { readText } from '../../server/host/files.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { readSecrets } from '../../stages/secrets/secret-values.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Exit code of an export with problems: that of EXPORT_INCOMPLETE. */
const incomplete = 11;

/**
 * Exports the chats and documents of every account, and the site. Progress goes to stderr.
 * @param folder path of the new folder, relative to the working folder
 * @throws LandfallError EXPORT_INCOMPLETE with everything that could not be read; FILE_EXISTS, DISK_FULL,
 * STATE_INVALID, STACK_UNHEALTHY
 */
export async function exportServer(facts: Facts, folder: string, json = false): Promise<void> {
  const { host, site } = facts;
  const accounts = await accountsOf(facts);
  const secrets = await readSecrets(host, site);
  const summary = await exportChats(folder, {
    base: `http://127.0.0.1:${site.ports.ui}`,
    secret: secrets.WEBUI_SECRET_KEY ?? '',
    accounts,
    site: (await readText(host, siteFile)) ?? '',
    start: progressOn(process.stderr),
    sync: (path) => host.run('sync', ['--file-system', path], { seconds: 600 }),
  });
  if (json) {
    console.log(JSON.stringify(summary, null, 2));
    if (summary.problems.length > 0) process.exitCode = incomplete;
    return;
  }
  console.log(summaryText(summary));
  failIfIncomplete(summary);
}

/** The task on the volume runs alone, so it waits for an update or a backup. */
async function accountsOf({ host, releaseFolder }: Facts): Promise<Account[]> {
  const lock = await takeChangeLock(host, (line) => process.stderr.write(`${line}\n`));
  try {
    return await listAccounts(host, releaseFolder);
  } finally {
    await lock.release();
  }
}

/** Shows a row for the running account; without a terminal, a line for each account. */
function progressOn(stderr: NodeJS.WriteStream): (email: string) => AccountProgress {
  const live = canRedraw(stderr, process.env) ? new LiveProgress(stderr) : undefined;
  return (email) => {
    const row = live?.start({ label: email, done: 0, total: 0, unit: 'chats' });
    return {
      onChats: (count) => {
        if (row) row.total = count;
        else stderr.write(`${say(`${email}: ${count} chats`, `${email}：${count} 个对话`)}\n`);
      },
      onChat: () => row?.advance(1),
      end: () => row?.end(),
    };
  };
}

function summaryText({ folder, accounts, chats, documents, size }: ExportSummary): string {
  return say(
    `Exported ${chats} chats and ${documents} documents of ${accounts} accounts to ${folder}: ${formatBytes(size)}.`,
    `已把 ${accounts} 个账户的 ${chats} 个对话和 ${documents} 个文档导出到 ${folder}，共 ${formatBytes(size)}。`,
  );
}

function failIfIncomplete({ problems }: ExportSummary): void {
  if (problems.length === 0) return;
  const what = problems.length === 1 ? 'one item' : `${problems.length} items`;
  throw new LandfallError(
    'EXPORT_INCOMPLETE',
    inLanguage({
      en: `${what} could not be read; the rest is exported`,
      zh: `${problems.length} 项无法读取；其余已导出`,
    }),
    {
      problems: problems.map((message) => ({ message })),
      hint: {
        en: 'Open the listed chats in the chat UI, or run the command again with another folder.',
        zh: '在聊天界面中打开列出的对话，或换一个目录再运行一次。',
      },
    },
  );
}
