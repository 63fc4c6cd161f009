import { resolve } from 'node:path';
import { knownProviders } from '#contract/known-providers.ts';
import { ignoreInGit } from '../files/ignore-in-git.ts';
import { workTreeOf } from '../files/work-tree.ts';
import type { FrontEnd, SiteAnswers, TlsMode } from '../init/answers.ts';
import { askForSite } from '../init/ask.ts';
import { asksForPackaged } from '../init/ask-release.ts';
import { checkAnswers } from '../init/check-answers.ts';
import { describeOwnRelease, describePackagedRelease } from '../init/describe.ts';
import { applianceFiles, siteFiles } from '../init/files.ts';
import { siteTemplate } from '../init/site-template.ts';
import { readSshKey } from '../init/ssh-keys.ts';
import { withoutAsking } from '../init/without-asking.ts';
import { type NewFile, writeFolder } from '../init/write-folder.ts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';
import { isCheckout, readPackagedRelease } from '../packaged/read-packaged-release.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import type { CommandContext } from './context.ts';

/** Options of `landfall init`. */
export interface InitFlags {
  readonly ownRelease?: boolean;
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

/** Writes site.yaml, and appliance.yaml for a release of the user. @throws LandfallError USAGE, CONFIG_INVALID, FILE_EXISTS */
export async function initAction(
  context: CommandContext,
  name: string,
  flags: InitFlags,
): Promise<void> {
  const folder = resolve(context.cwd, name);
  const known = isOwn(flags) ? undefined : await readPackagedRelease(context.packagedRelease);
  const packaged = known && (await isAccepted(context, flags, known)) ? known : undefined;
  const answers = await answersFor(context, flags, packaged);
  const site = siteTemplate(answers);
  checkAnswers(site);
  const files = [...(packaged ? [] : await applianceFiles(answers)), ...siteFiles(site)];
  await writeFolder(folder, files, flags.force ?? false);
  await ignoreInGit(folder, ignored);
  const workTree = await workTreeOf(folder);
  const warnings = workTree === undefined ? [] : [inWorkTree(folder, workTree)];
  if (flags.json) context.stdout.write(toJson(folder, files, warnings, packaged));
  else {
    printWarnings(context, warnings);
    const { cwd } = context;
    const reason = isOwn(flags) || known ? undefined : noRelease();
    context.stdout.write(
      packaged
        ? describePackagedRelease({ cwd, folder, answers }, packaged)
        : describeOwnRelease({ cwd, folder, answers, reason }),
    );
  }
}

/** Returns whether the options select a release of the user. */
function isOwn({ ownRelease, releaseUrl }: InitFlags): boolean {
  return ownRelease === true || releaseUrl !== undefined;
}

async function isAccepted(
  { interactive, stdin, stderr }: CommandContext,
  { yes }: InitFlags,
  packaged: PackagedRelease,
): Promise<boolean> {
  if (!interactive || yes) return true;
  return await asksForPackaged(packaged, { input: stdin, output: stderr });
}

function noRelease(): string {
  const here = isCheckout() ? 'This is a checkout' : 'This package was published without a release';
  return `${here}, so the steps below build your own release.`;
}

async function answersFor(
  context: CommandContext,
  flags: InitFlags,
  packaged: PackagedRelease | undefined,
): Promise<SiteAnswers> {
  const promptContext = {
    input: context.stdin,
    output: context.stderr,
    home: context.env.HOME,
    cwd: context.cwd,
  };
  const sshKeys = await Promise.all(flags.sshKey.map((given) => readSshKey(given, promptContext)));
  const known = withoutUndefined({
    releaseUrls: flags.releaseUrl === undefined ? packaged?.urls : [flags.releaseUrl],
    sshKeys: sshKeys.length === 0 ? undefined : sshKeys,
    user: flags.user,
    uiHost: flags.uiHost,
    email: flags.email,
    tls: flags.tls,
    acceptTerms: flags.acceptTerms,
    route: flags.route,
    providers: flags.provider.length === 0 ? undefined : providersOf(flags.provider),
    frontEnds: flags.component.length === 0 ? undefined : flags.component,
    localModels: flags.localModels ? undefined : false,
  });
  return context.interactive && !flags.yes
    ? askForSite(known, { ...promptContext, hasClient: packaged?.hasProxyClient ?? !packaged })
    : withoutAsking(known);
}

function providersOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, knownProviders[name] ?? '']));
}

/** Removes undefined values, so that they do not override defaults when spread. */
function withoutUndefined<T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function inWorkTree(folder: string, workTree: string): string {
  return `${folder} is in the git work tree ${workTree}. site.yaml contains your accounts and host names: commit it only to a private repository.`;
}

function toJson(
  folder: string,
  files: readonly NewFile[],
  warnings: readonly string[],
  packaged: PackagedRelease | undefined,
): string {
  const names = [...files.map(({ name }) => name), '.gitignore'];
  const release = packaged
    ? { product: packaged.product, version: packaged.version, keyId: packaged.keyId }
    : null;
  return `${JSON.stringify({ folder, files: names, release, warnings })}\n`;
}
