import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Site } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
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
