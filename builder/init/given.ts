import { z } from 'zod';
import { architectures } from '#contract/bundle/release-name.ts';
import { selectableComponents } from '#contract/component-names.ts';
import { mirrorPresetNames } from '#contract/mirror-presets.ts';
import { serverMemories } from './server-sizes.ts';
import { tlsModes } from './tls-modes.ts';

/** What the questions of `landfall init` collect. An empty text is "none"; a missing one is not asked yet. */
export const givenSchema = z
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

export type Given = z.infer<typeof givenSchema>;

/** Returns whether the URL of a proxy contains a password. */
export function hasPassword(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).password !== '';
}
