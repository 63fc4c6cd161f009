import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { inLanguage } from '#contract/text/language.ts';
import { orFileError } from '#files/file-error.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import type { CommandContext } from '../context.ts';
import { withTrustOptions } from '../options.ts';

/** Exit code of user-data with findings. */
const hasFindings = 12;

const example = {
  en: `
Example:
  landfall explain user-data.yaml --release landfall-1.0.0-amd64.release.json --key release.pub

Reads user-data of another person: a cloud-config, a multipart message, gzip or the shell script; or a
site.yaml. Nothing is downloaded or run. Without --release, the scripts and keys in it cannot be compared.

Exit codes: 0 byte for byte what Landfall writes for the release, 12 findings.
`,
  zh: `
示例：
  landfall explain user-data.yaml --release landfall-1.0.0-amd64.release.json --key release.pub

读取别人的 user-data：cloud-config、multipart、gzip 或 shell 脚本；也读取 site.yaml。不下载、不运行任何
内容。不加 --release 时，无法比较其中的脚本和密钥。

退出码：0 表示与 Landfall 为这个版本生成的逐字节相同，12 表示有发现。
`,
};

/** `landfall explain`: says what user-data does, and what of it is not of Landfall. */
export function explainCommand(context: CommandContext) {
  return definition().action((path, flags) => explain(context, path, flags));
}

const definition = () =>
  withTrustOptions(
    new Command('explain')
      .description("read another person's user-data before you paste it")
      .argument('<file>', 'path of the user-data, or of a site')
      .option(
        '--release <file...>',
        'bundles of its release, their folder, or their release.json files, to compare it with',
      ),
  )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(example));

type ExplainFlags = OptionsOf<typeof definition>;

/** Explains a file. @throws LandfallError of `explainPaste`, releases and keys; FILE_MISSING, FILE_ACCESS */
async function explain(context: CommandContext, path: string, flags: ExplainFlags): Promise<void> {
  const { readAtMost } = await import('#contract/text/bytes.ts');
  const { printWarnings } = await import('../../base/progress/reporter.ts');
  const { describeExplanation, describeSiteFile } = await import(
    '../../deliver/explain/describe.ts'
  );
  const { explainPaste } = await import('../../deliver/explain/explain-paste.ts');
  const { explanationJson, siteJson } = await import('../../deliver/explain/json.ts');
  const { maxPasteBytes } = await import('../../deliver/explain/read-paste.ts');
  const { keyWarnings } = await import('../keys.ts');
  const { readReleases } = await import('../user-data-sources.ts');
  const { stdout, env, cwd } = context;
  const { release: files } = flags;
  const given = files ? await readReleases(context, { ...flags, release: files }) : undefined;
  const source = resolve(cwd, path);
  const stream = createReadStream(source);
  const bytes = await orFileError(source, readAtMost(stream, maxPasteBytes + 1));
  if (isSite(bytes)) {
    const { parseSite } = await import('#explain/parse-site.ts');
    const { parseYaml } = await import('#yaml/parse.ts');
    const site = parseSite(parseYaml(bytes, source), { allowRoutePassword: true });
    const [described] = given?.releases ?? [];
    if (flags.json) return void stdout.write(`${JSON.stringify({ site: siteJson(site) })}\n`);
    const { facts, sentences } = describeSiteFile(site, described?.release, paintFor(stdout, env));
    return void stdout.write(`${facts}\n\n${wrapFor(stdout, sentences)}\n`);
  }
  const explanation = explainPaste(bytes, { file: path, releases: given?.releases ?? [] });
  if (explanation.findings.length > 0) context.setExitCode(hasFindings);
  if (flags.json) return void stdout.write(`${JSON.stringify(explanationJson(explanation))}\n`);
  const [first] = given?.releases ?? [];
  if (first && given) printWarnings(context, keyWarnings(first.release, given.trusted));
  const { facts, sentences } = describeExplanation(explanation, paintFor(stdout, env));
  stdout.write(`${facts}\n\n${wrapFor(stdout, sentences)}\n`);
}

/** Reports whether a file is a site.yaml: it has the two fields that every site has, and no form of user-data. */
function isSite(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  return (
    !/^(?:\uFEFF|ï»¿)?(?:#cloud-config|#!|## template|[\w-]+:.*\r?\nMIME-Version)/i.test(text) &&
    /^release:/m.test(text) &&
    /^admin:/m.test(text)
  );
}
