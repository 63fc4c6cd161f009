import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { translated } from '#contract/text/translated.ts';
import { refusedSiteFile } from '../../operations/transactions/stored-sites.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Facts } from '../../server/load-facts.ts';
import { askLine } from '../ask-yes.ts';
import { applyChanged } from './apply.ts';
import { currentText, parseSource, type SiteSource, siteName } from './source.ts';

/**
 * Opens site.yaml in an editor, and applies the result. Problems are written beside their lines until the
 * text is valid or the user leaves.
 * @throws LandfallError USAGE without a terminal; TOOL_MISSING, COMMAND_FAILED of the editor; those of
 *   `applySite`
 */
export async function editSite(facts: Facts): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'this command opens an editor', zh: '这条命令会打开编辑器' }),
      {
        hint: {
          en: 'Run it on a terminal, or use `sudo landfall site set` or `site apply`.',
          zh: '在终端中运行，或用 `sudo landfall site set`、`site apply`。',
        },
      },
    );
  }
  const { host } = facts;
  let source: SiteSource | undefined;
  const read = async () => {
    source = await edited(host);
    return source;
  };
  let isApplied = false;
  try {
    isApplied = await applyChanged(facts, read, false);
  } finally {
    if (source && !isApplied) await keepText(host, source.text);
  }
  if (!source || isApplied) return;
  const path = `/${refusedSiteFile}`;
  console.log(inLanguage({ en: `Your text is in ${path}.`, zh: `您的内容保存在 ${path}。` }));
}

/** Keeps what a user typed. */
async function keepText(host: Host, text: string): Promise<void> {
  await writeText(host, refusedSiteFile, text, { mode: 0o600 });
}

/** Returns the edited site; undefined if it was not changed. */
async function edited(host: Host): Promise<SiteSource | undefined> {
  const before = await currentText(host);
  // Only root may enter it: editors write copies beside the file.
  const folder = await mkdtemp(join(tmpdir(), 'landfall-site-'));
  const path = join(folder, 'site.yaml');
  try {
    for (let text = before; ; ) {
      await writeFile(path, text, { mode: 0o600 });
      openEditor(path);
      const bytes = withoutRemarks(await readFile(path));
      if (bytes.equals(Buffer.from(before))) {
        console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
        return undefined;
      }
      const result = attempt(bytes);
      if (!(result instanceof LandfallError)) return result;
      console.error(
        result.problems.map((each) => formatProblem(each)).join('\n') || translated(result.message),
      );
      if (!(await wantsAgain())) {
        await keepText(host, bytes.toString());
        throw new LandfallError(result.code, result.message, {
          hint: {
            en: `Nothing was changed. Your text is in /${refusedSiteFile}.`,
            zh: `没有更改任何内容。您写的内容在 /${refusedSiteFile} 中。`,
          },
        });
      }
      text = withRemarks(bytes.toString(), result);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function attempt(bytes: Buffer): SiteSource | LandfallError {
  try {
    return parseSource(bytes, siteName);
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

async function wantsAgain(): Promise<boolean> {
  const question = { en: '\nEdit again? [Y/n] ', zh: '\n继续编辑吗？[Y/n] ' };
  const answer = (await askLine(inLanguage(question))).trim().toLowerCase();
  return answer === '' || answer === 'y' || answer === 'yes';
}

/** Marks lines that are removed after editing. */
const remark = '#!';

/** Returns the text with each problem in a line below the one that has it. */
export function withRemarks(text: string, { problems, message }: LandfallError): string {
  const lines = text.split('\n');
  const sorted = [...problems].sort((one, other) => (other.line ?? 0) - (one.line ?? 0));
  for (const problem of sorted) {
    const hint = problem.hint === undefined ? '' : ` ${problem.hint}`;
    const about = plainLine(`${problem.message}.${hint}`, 300);
    lines.splice(problem.line ?? 0, 0, `${remark} ${about}`);
  }
  const heading = sorted.length > 0 ? [] : [`${remark} ${plainLine(message, 300)}`];
  return [...heading, ...lines].join('\n');
}

/** Returns what the user wrote. */
export function withoutRemarks(bytes: Buffer): Buffer {
  // Bytes stay bytes: the text may not be UTF-8.
  const text = bytes.toString('latin1');
  return Buffer.from(text.replaceAll(/^#!.*\n?/gm, ''), 'latin1');
}

/** @throws LandfallError TOOL_MISSING, COMMAND_FAILED */
function openEditor(path: string): void {
  const chosen = process.env.VISUAL || process.env.EDITOR;
  for (const editor of chosen ? [chosen] : ['nano', 'vi']) {
    // As git does it: the variable may have arguments.
    const { status, signal } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], {
      stdio: 'inherit',
    });
    if (status === 0) return;
    if (status === 127 && !chosen) continue;
    const name = plainLine(editor, 100);
    const message =
      status === null
        ? `the editor ${name} was ended by ${signal}`
        : `the editor ${name} failed with exit code ${status}`;
    throw new LandfallError('COMMAND_FAILED', message, {
      hint: {
        en: 'Choose another one, such as: sudo EDITOR=nano landfall site edit. Nothing was changed.',
        zh: '换一个编辑器，例如：sudo EDITOR=nano landfall site edit。没有更改任何内容。',
      },
    });
  }
  throw new LandfallError(
    'TOOL_MISSING',
    inLanguage({ en: 'this server has no editor', zh: '这台服务器没有编辑器' }),
    {
      hint: {
        en: 'Install one with: sudo apt-get install nano. Or use `sudo landfall site set`.',
        zh: '安装一个：sudo apt-get install nano。或用 `sudo landfall site set`。',
      },
    },
  );
}
