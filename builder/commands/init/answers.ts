import { z } from 'zod';
import { architectures } from '#contract/bundle/release-name.ts';
import { selectableComponents } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { knownProviders } from '#contract/known-providers.ts';
import { mirrorPresetNames, mirrorPresets } from '#contract/mirror-presets.ts';
import type { Site } from '#contract/site/site.ts';
import { currentLanguage, type Language } from '#contract/text/language.ts';
import type { PackagedRelease } from '../../deliver/packaged/packaged-release.ts';
import { serverMemories } from './server-sizes.ts';
import { type TlsMode, tlsModes } from './tls-modes.ts';

/** What the questions of `landfall init` collect. An empty text is "none"; a missing one is not asked yet. */
export const answersSchema = z
  .strictObject({
    /** Whether the server installs the release of the package. */
    packaged: z.boolean(),
    memory: z.enum(serverMemories),
    architectures: z.array(z.enum(architectures)).min(1),
    releaseWay: z.enum(['url', 'push']),
    releaseUrl: z.string(),
    sshKeys: z.array(z.string()),
    uiHost: z.string(),
    tls: z.enum(tlsModes),
    /** Whether the authority reaches port 80 of the server. */
    httpPort: z.enum(['open', 'blocked']),
    dnsProvider: z.string(),
    acceptTerms: z.boolean(),
    email: z.string(),
    routeWay: z.enum(['direct', 'proxy', 'client']),
    proxyUrl: z.string(),
    /** What to do with the password of the proxy. */
    proxyLogin: z.enum(['site', 'client', 'later']),
    /** None, own URLs, or the name of a preset. */
    mirrorsWay: z.enum(['none', 'own', ...mirrorPresetNames]),
    aptMirror: z.string(),
    imageMirror: z.string(),
    modelMirror: z.string(),
    timezone: z.string(),
    providers: z.array(z.string()),
    frontEnds: z.array(z.enum(selectableComponents)),
    localModels: z.boolean(),
  })
  .partial();

export type Answers = z.infer<typeof answersSchema>;

/** Returns whether the URL of a proxy contains a password. */
export function hasPassword(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).password !== '';
}

export type FrontEnd = keyof Site['components'];

/** The answers for site.yaml and appliance.yaml; all other fields get their defaults. */
export type CompleteAnswers = ReturnType<typeof completeAnswers>;

export const defaultUser = 'ops';

interface Chosen {
  readonly user?: string | undefined;
  /** Of the comments and of the server. */
  readonly language?: Language;
}

/** Adds the defaults to the answers of questions and flags. */
export function completeAnswers(
  answers: Answers,
  packaged: PackagedRelease | undefined,
  { user = defaultUser, language = currentLanguage() }: Chosen = {},
) {
  const { releaseWay, releaseUrl = '', tls = 'internal', providers = [] } = answers;
  const isImported = answers.proxyLogin === 'client' || answers.proxyLogin === 'later';
  const proxy = answers.routeWay === 'proxy' ? answers.proxyUrl : undefined;
  const own = releaseWay === 'push' ? ['push'] : [releaseUrl];
  return {
    /** URLs of folders with the release, in the order that servers try; or `push` alone. */
    releaseUrls: answers.packaged && packaged ? packaged.urls : own,
    /** URLs of folders with the channel of the release. */
    channels: (answers.packaged && packaged?.channels) || [],
    user,
    sshKeys: answers.sshKeys ?? [],
    email: answers.email || undefined,
    uiHost: answers.uiHost || undefined,
    tls,
    acceptTerms: answers.acceptTerms ?? false,
    /** Where the names are proven; undefined: on port 80. */
    dnsProvider: answers.httpPort === 'blocked' ? answers.dnsProvider : undefined,
    /** URL of an HTTP or SOCKS5 proxy, or `client`; undefined: the server connects directly. */
    route: answers.routeWay === 'client' || isImported ? 'client' : proxy,
    /** URL with the login of a proxy that the proxy client of the server uses, imported over SSH. */
    importedProxy: answers.proxyLogin === 'client' ? proxy : undefined,
    mirrors: mirrorsOf(answers),
    timezone: answers.timezone || undefined,
    /** Undefined: that of the terminal on the server. */
    language: (language === 'en' ? undefined : language) as Language | undefined,
    /** Base URLs of hosted providers by name. */
    providers: Object.fromEntries(providers.map((name) => [name, knownProviders[name] ?? ''])),
    frontEnds: answers.frontEnds ?? [],
    localModels: answers.localModels ?? true,
    memory: answers.memory ?? 'any',
    architectures: answers.architectures ?? (['amd64'] as const),
  };
}

function mirrorsOf(answers: Answers): Partial<Site['mirrors']> {
  const { mirrorsWay = 'none', aptMirror, imageMirror, modelMirror } = answers;
  if (mirrorsWay === 'none') return {};
  if (mirrorsWay !== 'own') return mirrorPresets[mirrorsWay].mirrors;
  return {
    ...(aptMirror ? { apt: aptMirror } : {}),
    ...(imageMirror ? { registries: { 'docker.io': imageMirror } } : {}),
    ...(modelMirror ? { models: modelMirror } : {}),
  };
}

/** Returns whether a mode uses a public certificate authority, which requires an email address. */
export function usesAuthority(mode: TlsMode): boolean {
  return mode === 'acme' || mode === 'acme-staging' || mode === 'acme-ip';
}

/** Returns whether a mode certifies host names, which a DNS provider can prove as well. */
export function certifiesNames(mode: TlsMode | undefined): boolean {
  return mode === 'acme' || mode === 'acme-staging';
}

/**
 * Returns the values of the flags with the mode of TLS.
 * @throws LandfallError USAGE naming every missing flag that has no default
 */
export function withoutAsking(known: Answers): Answers {
  const { packaged, releaseWay, sshKeys = [], email, uiHost, acceptTerms = false } = known;
  const tls = known.tls ?? defaultTls(known);
  const missing = [
    !packaged && releaseWay === undefined && '--release-url',
    sshKeys.length === 0 && '--ssh-key',
    certifiesNames(tls) && !uiHost && '--ui-host',
    usesAuthority(tls) && !email && '--email',
    usesAuthority(tls) && !acceptTerms && '--accept-terms',
  ].filter((flag) => flag !== false);
  if (missing.length > 0) throw usage(tls, missing);
  return { ...known, tls };
}

/** Returns the default mode: acme for a host name; acme-ip only if email and terms are answers. */
export function defaultTls({ uiHost, email, acceptTerms }: Answers): TlsMode {
  if (uiHost) return 'acme';
  return email && acceptTerms ? 'acme-ip' : 'internal';
}

function usage(tls: TlsMode, missing: readonly string[]): LandfallError {
  const instead = usesAuthority(tls) ? ' For an internal certificate, use --tls internal.' : '';
  return new LandfallError('USAGE', `missing flags: ${missing.join(', ')}`, {
    hint: `Add them, or run the command on a terminal to be prompted.${instead}`,
  });
}
