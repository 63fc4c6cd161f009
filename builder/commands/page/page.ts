import { resolve } from 'node:path';
import { Command } from 'commander';
import { inLanguage, say } from '#contract/text/language.ts';
import type { CommandContext } from '../context.ts';

const example = {
  en: `
Example:
  landfall page
  landfall page --output /var/www/landfall/configurator.html

The page makes user-data in a browser, from a file or on any web server, and reads that of other people. It loads
only the release.json beside it. Nothing that is entered leaves it. A page of a release knows its keys; with another,
choose release.json, its .sig file and release.pub.
`,
  zh: `
示例：
  landfall page
  landfall page --output /var/www/landfall/configurator.html

这个网页在浏览器中生成 user-data，也能读取别人的 user-data；可以直接打开文件，也可以放在任何网站上。它只加载
旁边的 release.json，输入的内容不会离开网页。版本附带的网页知道版本的密钥；用其他网页时，请选择 release.json、
它的 .sig 文件和 release.pub。
`,
};

/** `landfall page`: writes the web page that makes user-data. */
export function pageCommand(context: CommandContext) {
  return new Command('page')
    .description('write the web page that makes user-data in a browser')
    .option('--output <file>', 'output file; - for standard output', 'configurator.html')
    .addHelpText('after', inLanguage(example))
    .action(({ output }) => writePage(context, output));
}

/** @throws LandfallError FILE_ACCESS, DISK_FULL */
async function writePage({ cwd, stdout }: CommandContext, output: string): Promise<void> {
  const { orFileError } = await import('#files/file-error.ts');
  const { replaceFile } = await import('#files/replace-file.ts');
  const page = await pageOfThisProgram();
  if (output === '-') return void stdout.write(page);
  const path = resolve(cwd, output);
  await orFileError(path, replaceFile(path, page, { mode: 0o644 }));
  stdout.write(`${say(`${output}: open it in a browser`, `${output}：请用浏览器打开`)}\n`);
}

/** Builds the page in a checkout. A package has it, with the release that it was published with. */
async function pageOfThisProgram(): Promise<Uint8Array> {
  const { isCheckout } = await import('../../deliver/packaged/packaged-release.ts');
  if (isCheckout()) return await (await import('../../page/build-page.ts')).buildPage();
  const { readFile } = await import('node:fs/promises');
  return await readFile(new URL('../../prebuilt/configurator.html', import.meta.url));
}
