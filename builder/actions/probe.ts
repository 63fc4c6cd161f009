import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Site } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { type HubFlags, hubFromFlags } from '#probe/hub/hub-from-flags.ts';
import { type MirrorFlags, mirrorsFromFlags } from '#probe/mirrors/mirrors-from-flags.ts';
import { type ProbeFlags, probeFromFlags } from '#probe/probe-from-flags.ts';
import { readSite } from '../config/site.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './read-ca.ts';

/** Options of `landfall probe` on a laptop. */
export interface BuilderProbeFlags extends ProbeFlags {
  readonly site?: string;
  readonly ca?: string;
}

/** Probes the providers of a site, or the given ones, and prints the result. */
export async function probeAction(
  context: CommandContext,
  urls: readonly string[],
  flags: BuilderProbeFlags,
): Promise<void> {
  const { env, stderr, interactive } = context;
  const { text, exitCode } = await probeFromFlags(urls, flags, {
    providers: (await siteIn(context, flags.site))?.providers,
    ca: await readCa(context, flags.ca),
    // The route of the site is that of the server.
    route: env,
    env,
    askPassword: interactive ? () => askPassphrase('Password of the proxy') : undefined,
    screen: stderr,
  });
  context.stdout.write(`${text}\n`);
  context.setExitCode(exitCode);
}

/** Returns the site of a file; undefined if there is no site.yaml and no file is given. */
export async function siteIn(
  { cwd }: CommandContext,
  file: string | undefined,
): Promise<Site | undefined> {
  const path = resolve(cwd, file ?? 'site.yaml');
  if (file === undefined && !existsSync(path)) return undefined;
  return applyVariables(await readSite(path));
}

/** Options of `landfall probe hub` on a laptop. */
export interface BuilderHubFlags extends HubFlags {
  readonly ca?: string;
}

/** Sends a request for hosted inference and prints the result. */
export async function probeHubAction(
  context: CommandContext,
  model: string,
  flags: BuilderHubFlags,
): Promise<void> {
  const { env, interactive, stdout } = context;
  const ask = (question: string) => (interactive ? () => askPassphrase(question) : undefined);
  const askToken = ask('Access token of the hub');
  const { text, exitCode } = await hubFromFlags(model, flags, {
    ca: await readCa(context, flags.ca),
    route: env,
    env,
    askPassword: ask('Password of the proxy'),
    token: async () => env.HF_TOKEN || (await askToken?.()),
  });
  stdout.write(`${text}\n`);
  context.setExitCode(exitCode);
}

/** Options of `landfall probe mirrors` on a laptop. */
export interface BuilderMirrorFlags extends MirrorFlags {
  readonly site?: string;
  readonly ca?: string;
}

/** Tests the mirrors of a site or of a preset from this computer, and prints the result. */
export async function probeMirrorsAction(
  context: CommandContext,
  flags: BuilderMirrorFlags,
): Promise<void> {
  const { env, interactive, stdout } = context;
  const site = flags.preset === undefined ? await siteIn(context, flags.site) : undefined;
  const { text, exitCode } = await mirrorsFromFlags(flags, {
    mirrors: site?.mirrors,
    ca: await readCa(context, flags.ca),
    route: env,
    env,
    askPassword: interactive ? () => askPassphrase('Password of the proxy') : undefined,
  });
  stdout.write(`${text}\n`);
  context.setExitCode(exitCode);
}
