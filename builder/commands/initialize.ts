import { resolve } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type MirrorPresetName, mirrorPresets } from '#contract/mirror-presets.ts';
import { inLanguage, type Language, languageOfLocale } from '#contract/text/language.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { mirrorTargets, probeMirrors } from '#probe/mirrors.ts';
import { ignoreInGit, workTreeOf } from '../base/files/git.ts';
import { speak } from '../base/language.ts';
import { printWarnings } from '../base/progress/reporter.ts';
import {
  isCheckout,
  type PackagedRelease,
  readPackagedRelease,
} from '../deliver/packaged/packaged-release.ts';
import type { CommandContext } from './context.ts';
import { type Answers, completeAnswers, type FrontEnd, withoutAsking } from './init/answers.ts';
import { askForSite, DraftFile } from './init/ask.ts';
import { type AnswerName, checkAnswers, correctHost, flawOf } from './init/check-answers.ts';
import { describeOwnRelease, describePackagedRelease } from './init/describe.ts';
import {
  applianceFiles,
  applianceNames,
  proxiesName,
  referenceLock,
  siteFiles,
} from './init/files.ts';
import { imagesToProbe } from './init/images-to-probe.ts';
import type { Replies } from './init/prompts.ts';
import type { ServerMemory } from './init/server-sizes.ts';
import { siteTemplate } from './init/site-template.ts';
import { readSshKey } from './init/ssh-keys.ts';
import type { TlsMode } from './init/tls-modes.ts';
import { type NewFile, refuseExisting, writeFolder } from './init/write-folder.ts';

/** Options of `landfall init`. */
export interface InitFlags {
  readonly ownRelease?: boolean;
  readonly releaseUrl?: string;
  readonly sshKey?: readonly string[];
  readonly user?: string;
  readonly uiHost?: string;
  readonly email?: string;
  readonly acceptTerms?: boolean;
  readonly route?: string;
  readonly mirrors?: MirrorPresetName;
  readonly tls?: TlsMode;
  readonly dnsProvider?: string;
  readonly timezone?: string;
  readonly language?: Language;
  readonly provider?: readonly string[];
  readonly component?: readonly FrontEnd[];
  readonly arch?: readonly Architecture[];
  readonly memory?: ServerMemory;
  readonly localModels: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Patterns for .gitignore: private keys, proxies with passwords, bundles and user-data. */
const ignored = ['*.key', `/${proxiesName}`, '/dist/', '/user-data.yaml'];

/** Writes site.yaml, and appliance.yaml for a release of the user. @throws LandfallError USAGE, CONFIG_INVALID, FILE_EXISTS */
export async function initialize(
  context: CommandContext,
  name: string,
  flags: InitFlags,
): Promise<void> {
  const language = flags.language ?? languageOfLocale(context.env);
  await speak(flags.json ? 'en' : language);
  const folder = resolve(context.cwd, name);
  const packaged = isOwn(flags) ? undefined : await readPackagedRelease(context.packagedRelease);
  const draft = new DraftFile(context.env);
  const asked = await answersFor({ context, flags, folder, packaged, draft });
  const answers = completeAnswers(asked, packaged, { user: flags.user, language });
  const site = siteTemplate(answers);
  const warnings: string[] = [];
  const allowRoutePassword = asked.proxyLogin === 'site';
  checkAnswers(site, { allowRoutePassword, note: (text) => warnings.push(text) });
  const used = asked.packaged ? packaged : undefined;
  const files = [...(used ? [] : await applianceFiles(answers)), ...siteFiles(site, answers)];
  await writeFolder(folder, files, flags.force ?? false);
  await draft.remove();
  await ignoreInGit(folder, ignored);
  const workTree = await workTreeOf(folder);
  if (workTree !== undefined) warnings.push(inWorkTree(folder, workTree));
  if (flags.json) context.stdout.write(toJson(folder, files, warnings, used));
  else {
    printWarnings(context, warnings);
    const { cwd } = context;
    const reason = isOwn(flags) || packaged ? undefined : noRelease();
    context.stdout.write(
      used
        ? describePackagedRelease({ cwd, folder, answers }, used)
        : describeOwnRelease({ cwd, folder, answers, reason }),
    );
  }
}

/** Returns whether the options select a release of the user. */
function isOwn({ ownRelease, releaseUrl }: InitFlags): boolean {
  return ownRelease === true || releaseUrl !== undefined;
}

function noRelease(): string {
  const here = isCheckout()
    ? { en: 'This is a checkout', zh: '这是源码目录' }
    : { en: 'This package was published without a release', zh: '这个软件包不含已发布的版本' };
  return inLanguage({
    en: `${here.en}, so the steps below build your own release.`,
    zh: `${here.zh}，因此下面的步骤会构建您自己的版本。`,
  });
}

interface Call {
  readonly context: CommandContext;
  readonly flags: InitFlags;
  readonly folder: string;
  readonly packaged: PackagedRelease | undefined;
  readonly draft: DraftFile;
}

/** Returns the values of the flags, and on a terminal the answers to the remaining questions. */
async function answersFor({ context, flags, folder, packaged, draft }: Call): Promise<Answers> {
  const { cwd, env, interactive, stdin: input, stderr: output } = context;
  const place = { home: env.HOME, cwd };
  const known = answersIn(flags, place);
  if (!interactive || flags.yes)
    return withoutAsking(packaged ? { ...known, packaged: true } : known);
  refuseFlaws(flags);
  const refuse = async (names: readonly string[]) => {
    if (!flags.force) await refuseExisting(folder, names);
  };
  await refuse(['site.yaml', ...(packaged ? [] : applianceNames)]);
  return await askForSite(known, {
    ...place,
    ...{ input, output, folder, draft, packaged, user: flags.user },
    modelSizes: await modelSizes(),
    refuseExisting: () => refuse(applianceNames),
    checkMirrors: deadMirrors,
    hasClient: (answers) => !answers.packaged || packaged?.hasProxyClient === true,
  });
}

/** Tests the mirrors of a preset from this computer. Most that are dead here are dead there. */
async function deadMirrors(preset: MirrorPresetName): Promise<string[]> {
  const images = await imagesToProbe('site.yaml', undefined);
  const targets = mirrorTargets(mirrorPresets[preset].mirrors, images);
  const reports = await probeMirrors(targets, systemNetwork());
  return reports
    .filter(({ works }) => !works)
    .map(({ field, image }) => (image === undefined ? field : `${field}: ${image}`));
}

/** Bytes by model; unresolved sizes are absent. */
async function modelSizes(): Promise<Record<string, number>> {
  const { models } = await referenceLock();
  const sizes = Object.entries(models).flatMap(([name, { size }]) =>
    typeof size === 'number' ? [[name, size] as const] : [],
  );
  return Object.fromEntries(sizes);
}

/** Returns the answers in the flags. Questions without one are asked. */
function answersIn(flags: InitFlags, place: Parameters<typeof readSshKey>[1]): Answers {
  const { releaseUrl, route, sshKey, uiHost, provider, component, arch } = flags;
  const answers: Replies = {
    packaged: isOwn(flags) ? false : undefined,
    memory: flags.memory,
    architectures: arch && [...arch],
    releaseWay: releaseUrl === undefined ? undefined : releaseUrl === 'push' ? 'push' : 'url',
    releaseUrl: releaseUrl === 'push' ? undefined : releaseUrl,
    sshKeys: sshKey?.map((key) => readSshKey(key, place)),
    uiHost: uiHost && correctHost(uiHost),
    email: flags.email,
    tls: flags.tls,
    httpPort: flags.dnsProvider === undefined ? undefined : 'blocked',
    dnsProvider: flags.dnsProvider,
    acceptTerms: flags.acceptTerms,
    routeWay: route === undefined ? undefined : route === 'client' ? 'client' : 'proxy',
    proxyUrl: route === 'client' ? undefined : route,
    mirrorsWay: flags.mirrors,
    timezone: flags.timezone,
    providers: provider && [...provider],
    frontEnds: component && [...component],
    localModels: flags.localModels ? undefined : false,
  };
  const known = Object.entries(answers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Answers;
}

/** Checks the flags before the first question. @throws LandfallError USAGE with every problem */
function refuseFlaws(given: InitFlags): void {
  const { releaseUrl, user, uiHost, dnsProvider, email, route, timezone } = given;
  const flags: ReadonlyArray<readonly [string, AnswerName, string | undefined]> = [
    ['--release-url', 'releaseUrl', releaseUrl === 'push' ? undefined : releaseUrl],
    ['--user', 'user', user],
    ['--ui-host', 'uiHost', uiHost && correctHost(uiHost)],
    ['--dns-provider', 'dnsProvider', dnsProvider],
    ['--email', 'email', email],
    ['--timezone', 'timezone', timezone],
    ['--route', 'proxyUrl', route === 'client' ? undefined : route],
  ];
  const problems = flags.flatMap(([flag, name, value]) => {
    const flaw = value ? flawOf(name, value) : undefined;
    return flaw === undefined ? [] : [{ message: `${flag}: ${flaw}` }];
  });
  if (problems.length === 0) return;
  throw new LandfallError('USAGE', 'invalid options; nothing was written', {
    hint: { en: 'Correct the options above.', zh: '修改上面的选项。' },
    problems,
  });
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
