import { join, relative, resolve } from 'node:path';
import { formatTable } from '#contract/text/table.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import { ignoreInGit } from '../files/ignore-in-git.ts';
import { workTreeOf } from '../files/work-tree.ts';
import type { FrontEnd, SiteAnswers, TlsMode } from '../init/answers.ts';
import { applianceTemplate, lockTemplate } from '../init/appliance-template.ts';
import { askForSite } from '../init/ask.ts';
import { checkAnswers } from '../init/check-answers.ts';
import { knownProviders } from '../init/known-providers.ts';
import { siteTemplate } from '../init/site-template.ts';
import { readSshKey } from '../init/ssh-keys.ts';
import { withoutAsking } from '../init/without-asking.ts';
import { type NewFile, writeFolder } from '../init/write-folder.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import type { CommandContext } from './context.ts';

/** Options of `landfall init`. */
export interface InitFlags {
  readonly releaseUrl?: string;
  readonly sshKey: readonly string[];
  readonly user?: string;
  readonly uiHost?: string;
  readonly email?: string;
  readonly acceptTerms?: boolean;
  readonly route?: string;
  readonly tls?: TlsMode;
  readonly provider: readonly string[];
  readonly component: readonly FrontEnd[];
  readonly localModels: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Patterns for .gitignore: private keys, bundles and user-data. */
const ignored = ['*.key', '/dist/', '/user-data.yaml'];

/** Writes appliance.yaml and site.yaml. @throws LandfallError USAGE, CONFIG_INVALID, FILE_EXISTS */
export async function initAction(
  context: CommandContext,
  name: string,
  flags: InitFlags,
): Promise<void> {
  const folder = resolve(context.cwd, name);
  const answers = await answersFor(context, flags);
  const site = siteTemplate(answers);
  checkAnswers(site);
  const files: NewFile[] = [
    { name: 'appliance.yaml', text: await applianceTemplate() },
    { name: 'appliance.lock.yaml', text: await lockTemplate() },
    { name: 'site.yaml', text: site, private: true },
    { name: '.landfall/appliance.schema.json', text: jsonSchemaOf('appliance') },
    { name: '.landfall/site.schema.json', text: jsonSchemaOf('site') },
  ];
  await writeFolder(folder, files, flags.force ?? false);
  await ignoreInGit(folder, ignored);
  const workTree = await workTreeOf(folder);
  const warnings = workTree === undefined ? [] : [inWorkTree(folder, workTree)];
  if (flags.json) context.stdout.write(toJson(folder, files, warnings));
  else {
    printWarnings(context, warnings);
    context.stdout.write(describe(context, folder, answers));
  }
}

async function answersFor(context: CommandContext, flags: InitFlags): Promise<SiteAnswers> {
  const promptContext = {
    input: context.stdin,
    output: context.stderr,
    home: context.env.HOME,
    cwd: context.cwd,
  };
  const sshKeys = await Promise.all(flags.sshKey.map((given) => readSshKey(given, promptContext)));
  const known = withoutUndefined({
    releaseUrl: flags.releaseUrl,
    sshKeys: sshKeys.length === 0 ? undefined : sshKeys,
    user: flags.user,
    uiHost: flags.uiHost,
    email: flags.email,
    tls: flags.tls,
    acceptTerms: flags.acceptTerms,
    routeUrl: flags.route,
    providers: flags.provider.length === 0 ? undefined : providersOf(flags.provider),
    frontEnds: flags.component.length === 0 ? undefined : flags.component,
    localModels: flags.localModels ? undefined : false,
  });
  return context.interactive && !flags.yes
    ? askForSite(known, promptContext)
    : withoutAsking(known);
}

function providersOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, knownProviders[name] ?? '']));
}

/** Quotes a word for a shell where that is needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Removes undefined values, so that they do not override defaults when spread. */
function withoutUndefined<T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function describe({ cwd }: CommandContext, folder: string, { releaseUrl }: SiteAnswers): string {
  const shown = relative(cwd, folder);
  const show = (name: string) => join(shown, name);
  const files = formatTable([
    [show('appliance.yaml'), 'what the release contains'],
    [show('appliance.lock.yaml'), 'digests of its images and files'],
    [show('site.yaml'), 'settings of your server; review them'],
  ]);
  const steps = formatTable([
    ...(shown === '' ? [] : [[`  cd ${shellWord(shown)}`, '']]),
    ['  landfall keygen', 'creates the key that signs your release'],
    ['  landfall lock', 'looks up the digests of images and models'],
    ['  landfall build --full --output dist', 'downloads everything into a signed bundle'],
    ['  landfall user-data --release dist/*.tar', 'renders the text to paste'],
  ]);
  return `${files}

Next, in this order:

${steps}

Then upload the files in dist to ${releaseUrl}
Test the URLs with: landfall user-data --release dist/*.tar --check-urls
Paste user-data.yaml when you create the server.
`;
}

function inWorkTree(folder: string, workTree: string): string {
  return `${folder} is in the git work tree ${workTree}. site.yaml contains your accounts and host names: commit it only to a private repository.`;
}

function toJson(folder: string, files: readonly NewFile[], warnings: readonly string[]): string {
  const names = [...files.map(({ name }) => name), '.gitignore'];
  return `${JSON.stringify({ folder, files: names, warnings })}\n`;
}
