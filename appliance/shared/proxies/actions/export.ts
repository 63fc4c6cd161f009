import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { say } from '#contract/text/language.ts';
import { fileError } from '#files/file-error.ts';
import { replaceFile } from '#files/replace-file.ts';
import { renderMihomo } from '../clash/write.ts';
import { renderSingBox } from '../sing-box/write.ts';
import { readStoredProxies } from '../store.ts';
import type { ProxiesContext } from './import.ts';

/** Options of `landfall route export`. */
export interface ExportFlags {
  readonly format: 'mihomo' | 'sing-box';
  /** `-` for standard output. */
  readonly output: string;
  /** Whether the setting of the source is exported. */
  readonly allowLan?: boolean;
}

/**
 * Writes the imported proxies as the configuration of a proxy client. Only the user can read the
 * file, because it contains passwords.
 * @throws LandfallError CONFIG_MISSING, CONFIG_INVALID, FILE_ACCESS, DISK_FULL
 */
export async function exportAction(
  { file, cwd, stdout, stderr, command }: ProxiesContext,
  { format, output, allowLan = false }: ExportFlags,
): Promise<void> {
  const stored = await readStoredProxies(file);
  if (stored === undefined) {
    throw new LandfallError('CONFIG_MISSING', 'no proxies were imported', {
      hint: {
        en: `Run \`${command} import <file>\` first.`,
        zh: `先运行 \`${command} import <文件>\`。`,
      },
    });
  }
  const isMihomo = format === 'mihomo';
  const isOpen = stored.settings['allow-lan'];
  const settings = { ...stored.settings, 'allow-lan': isOpen && allowLan };
  const text = isMihomo ? renderMihomo(settings) : renderSingBox(settings);
  if (isOpen && !allowLan) {
    const text = say(
      'The source has allow-lan: true. It is not exported; --allow-lan exports it.',
      '来源设置了 allow-lan: true，没有导出；--allow-lan 会导出它。',
    );
    stderr.write(`${text}\n`);
  }
  if (output === '-') {
    stdout.write(text);
    return;
  }
  const path = resolve(cwd, output);
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, path);
  }
  const run = isMihomo ? `mihomo -f ${path}` : `sing-box run -c ${path}`;
  const done = say(
    `Wrote ${path}. On your computer, run: sudo ${run}`,
    `已写入 ${path}。在您的电脑上运行：sudo ${run}`,
  );
  stdout.write(`${done}\n`);
}
