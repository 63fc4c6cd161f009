import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { hubCommand, mirrorsCommand, probeCommandWith } from '#cli/probe-options.ts';
import type { Site } from '#contract/site/site.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './network.ts';
import { withCaOption } from './options.ts';
import { secretPrompt } from './prompts.ts';

/** `landfall probe`: finds the route to hosted providers. */
export function probeCommand(context: CommandContext) {
  const { env, stdout, stderr } = context;
  const ask = secretPrompt(context);
  /** The route of the site is that of the server, so the route is that of the environment. */
  const inputsOf = async ({ ca }: { readonly ca?: string }) => ({
    ca: await readCa(context, ca),
    ...{ env, route: env },
    askPassword: ask && (() => ask('Password of the proxy')),
  });
  const print = ({ text, exitCode }: { readonly text: string; readonly exitCode: number }) => {
    stdout.write(`${text}\n`);
    context.setExitCode(exitCode);
  };
  const hub = withCaOption(hubCommand('HTTPS_PROXY')).action(async (model, flags) => {
    const { hubFromFlags } = await import('#probe/hub.ts');
    const token = async () => env.HF_TOKEN || (await ask?.('Access token of the hub'));
    print(await hubFromFlags(model, flags, { ...(await inputsOf(flags)), token }));
  });
  const mirrors = withCaOption(
    mirrorsCommand('HTTPS_PROXY').option(
      '--site <file>',
      'site whose mirrors are tested (default: site.yaml, if it exists)',
    ),
  ).action(async (flags) => {
    const { mirrorsFromFlags } = await import('#probe/mirrors.ts');
    const { imagesToProbe } = await import('./init/images-to-probe.ts');
    const site = flags.preset === undefined ? await siteIn(context, flags.site) : undefined;
    const images = await imagesToProbe(resolve(context.cwd, flags.site ?? 'site.yaml'), site);
    const inputs = { ...(await inputsOf(flags)), mirrors: site?.mirrors, images };
    print(await mirrorsFromFlags(flags, inputs));
  });
  return withCaOption(probeCommandWith('HTTPS_PROXY'))
    .option('--site <file>', 'site whose providers are tested (default: site.yaml, if it exists)')
    .addCommand(hub)
    .addCommand(mirrors)
    .action(async (urls, flags) => {
      const { probeFromFlags } = await import('#probe/probe-from-flags.ts');
      const providers = (await siteIn(context, flags.site))?.providers;
      const inputs = { ...(await inputsOf(flags)), providers, screen: stderr };
      print(await probeFromFlags(urls, flags, inputs));
    });
}

/** Returns the site of a file; undefined if there is no site.yaml and no file is given. */
async function siteIn(
  { cwd }: CommandContext,
  file: string | undefined,
): Promise<Site | undefined> {
  const path = resolve(cwd, file ?? 'site.yaml');
  if (file === undefined && !existsSync(path)) return undefined;
  const { applyVariables } = await import('#contract/site/variables.ts');
  const { readSite } = await import('../inputs/config/site.ts');
  return applyVariables(await readSite(path));
}
