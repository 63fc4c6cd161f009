import { mkdir, readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import { fileError } from '#contract/file-error.ts';
import { formatError } from '#contract/text/error.ts';
import { CodeHost, codeHostAccess } from './code-host.ts';
import { localFile } from './local-file.ts';

/*
 * `npm run draft -- <command> <tag>`: the draft release of a tag on the code host, for the workflows
 * and the GitHub Action. The access is read from the environment: see `codeHostAccess`.
 */
const program = new Command('draft').description('change the draft release of a tag');
const command = (usage: string, description: string) =>
  program.command(usage).description(description).option('--json', 'print the result as JSON');

command('create <tag>', 'create the draft; keep an existing one')
  .option('--commit <sha>', 'commit of a tag that does not exist yet')
  .action((tag: string, { commit, ...flags }: Flags & { commit?: string }) =>
    withHost(flags, async (host) => {
      const { html_url: url } = await host.findOrCreateDraft({ tag, commit });
      return { text: `draft ${tag}: ${url}`, json: { tag, url } };
    }),
  );

command(
  'upload <tag> <files...>',
  'upload files to the draft; keep identical files, replace others',
).action((tag: string, paths: string[], flags: Flags) =>
  withHost(flags, async (host) => {
    // All names and sizes first, so that no upload starts in vain.
    const files = await Promise.all(paths.map(localFile));
    const draft = await host.findDraft(tag);
    const sent: string[] = [];
    for (const file of files) {
      if (await host.upload(draft, file)) sent.push(file.name);
    }
    return { text: `uploaded ${sent.length} of ${files.length} files`, json: { tag, sent } };
  }),
);

command('download <tag> <folder>', 'download the files of the draft')
  .addOption(new Option('--arch <arch>', 'leave out other architectures').choices(architectures))
  .option('--manifests', 'leave out the bundles')
  .action((tag: string, folder: string, { arch, manifests, ...flags }: DownloadFlags) =>
    withHost(flags, async (host) => {
      await mkdir(folder, { recursive: true });
      const others = architectures.filter((each) => arch !== undefined && each !== arch);
      const all = await host.assets(await host.findDraft(tag));
      const assets = all
        .filter(({ name }) => !others.some((each) => name.includes(`-${each}.`)))
        .filter(({ name }) => !manifests || !/\.tar(?:\.\d+)?$/.test(name));
      for (const asset of assets) await host.download(asset, folder);
      return { text: `downloaded ${assets.length} files`, json: { tag, count: assets.length } };
    }),
  );

command('notes <tag> <file>', 'set the notes of the draft').action(
  (tag: string, file: string, flags: Flags) =>
    withHost(flags, async (host) => {
      const notes = await readFile(file, 'utf8').catch((error: unknown) => {
        throw fileError(error, file);
      });
      await host.describe(await host.findDraft(tag), notes);
      return { text: `set the notes of ${tag}`, json: { tag } };
    }),
);

command('publish <tag>', 'publish the draft')
  .option('--not-latest', 'do not show it as the latest release')
  .action((tag: string, { notLatest, ...flags }: Flags & { notLatest?: boolean }) =>
    withHost(flags, async (host) => {
      const { html_url: url } = await host.publish(await host.findDraft(tag), !notLatest);
      return { text: `published ${tag}: ${url}`, json: { tag, url } };
    }),
  );

interface Flags {
  readonly json?: boolean;
}

interface DownloadFlags extends Flags {
  readonly arch?: Architecture;
  readonly manifests?: boolean;
}

interface Report {
  readonly text: string;
  readonly json: object;
}

/** Runs a command with access to the code host, and prints its result or its error. */
async function withHost(flags: Flags, run: (host: CodeHost) => Promise<Report>): Promise<void> {
  let host: CodeHost | undefined;
  try {
    const note = (line: string) => console.error(line);
    host = new CodeHost({ ...codeHostAccess(process.env), retry: { note } });
    const report = await run(host);
    console.log(flags.json ? JSON.stringify(report.json) : report.text);
  } catch (error) {
    if (flags.json) console.log(JSON.stringify(errorToJson(error)));
    else console.error(formatError(error));
    process.exitCode = exitCodeOf(error);
  } finally {
    await host?.close();
  }
}

await program.parseAsync();
