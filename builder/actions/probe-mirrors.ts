import { type MirrorFlags, mirrorsFromFlags } from '#probe/mirrors/mirrors-from-flags.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { siteIn } from './probe.ts';
import { readCa } from './read-ca.ts';

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
