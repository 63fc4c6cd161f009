import type { Architecture } from '#contract/bundle/release-name.ts';
import { knownProviders } from '#contract/known-providers.ts';
import { mirrorPresets } from '#contract/mirror-presets.ts';
import type { Site } from '#contract/site/site.ts';
import { currentLanguage, type Language } from '#contract/text/language.ts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';
import type { Given } from './given.ts';
import type { ServerMemory } from './server-sizes.ts';
import type { TlsMode } from './tls-modes.ts';

export type FrontEnd = keyof Site['components'];

/** The answers for site.yaml and appliance.yaml; all other fields get their defaults. */
export interface SiteAnswers {
  /** URLs of folders with the release, in the order that servers try; or `push` alone. */
  readonly releaseUrls: readonly string[];
  readonly user: string;
  /** Lines of OpenSSH public key files. */
  readonly sshKeys: readonly string[];
  readonly email: string | undefined;
  /** Host name of the chat UI; undefined: the UI is served at the IP address. */
  readonly uiHost: string | undefined;
  readonly tls: TlsMode;
  readonly acceptTerms: boolean;
  /** URL of an HTTP or SOCKS5 proxy, or `client`; undefined: the server connects directly. */
  readonly route: string | undefined;
  /** URL with the login of a proxy that the proxy client of the server uses, imported over SSH. */
  readonly importedProxy: string | undefined;
  /** The mirrors that are set. */
  readonly mirrors: Partial<Site['mirrors']>;
  readonly timezone: string | undefined;
  /** Undefined: that of the terminal on the server. */
  readonly language: Language | undefined;
  /** Base URLs of hosted providers by name. */
  readonly providers: Readonly<Record<string, string>>;
  /** Optional front-ends for hosted providers. */
  readonly frontEnds: readonly FrontEnd[];
  /** False: no local models, only hosted ones. */
  readonly localModels: boolean;
  /** The servers of an own release. */
  readonly memory: ServerMemory;
  readonly architectures: readonly Architecture[];
}

export const defaultUser = 'ops';

/** Returns the answers that questions and flags gave, with defaults for the others. */
export function answersOf(
  given: Given,
  packaged: PackagedRelease | undefined,
  user = defaultUser,
): SiteAnswers {
  const { releaseWay, releaseUrl = '', tls = 'internal', providers = [] } = given;
  const isImported = given.proxyLogin === 'client' || given.proxyLogin === 'later';
  const proxy = given.routeWay === 'proxy' ? given.proxyUrl : undefined;
  const own = releaseWay === 'push' ? ['push'] : [releaseUrl];
  return {
    releaseUrls: given.packaged && packaged ? packaged.urls : own,
    user,
    sshKeys: given.sshKeys ?? [],
    email: given.email || undefined,
    uiHost: given.uiHost || undefined,
    tls,
    acceptTerms: given.acceptTerms ?? false,
    route: given.routeWay === 'client' || isImported ? 'client' : proxy,
    importedProxy: given.proxyLogin === 'client' ? proxy : undefined,
    mirrors: mirrorsOf(given),
    timezone: given.timezone || undefined,
    language: currentLanguage() === 'en' ? undefined : currentLanguage(),
    providers: Object.fromEntries(providers.map((name) => [name, knownProviders[name] ?? ''])),
    frontEnds: given.frontEnds ?? [],
    localModels: given.localModels ?? true,
    memory: given.memory ?? 'any',
    architectures: given.architectures ?? ['amd64'],
  };
}

function mirrorsOf(given: Given): Partial<Site['mirrors']> {
  const { mirrorsWay = 'none', aptMirror, imageMirror, modelMirror } = given;
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
