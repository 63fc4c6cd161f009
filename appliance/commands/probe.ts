import { readFile } from 'node:fs/promises';
import { hubCommand, mirrorsCommand, probeCommandWith } from '#cli/probe-options.ts';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { currentRelease, siteFile } from '#contract/server-paths.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { goRouteEnvironment } from '../server/host/download/route-environment.ts';
import { readText } from '../server/host/files.ts';
import { Host } from '../server/host/host.ts';
import { imageName } from '../server/host/pull/image-name.ts';
import { runCommand } from '../server/host/run/command.ts';
import { readSecret } from '../server/host/secret-file.ts';
import { readSite } from '../server/load-facts.ts';
import { type HubFlags, hubFromFlags } from '../shared/probe/hub.ts';
import type { MirroredImage } from '../shared/probe/mirrored-image.ts';
import { type MirrorFlags, mirrorsFromFlags } from '../shared/probe/mirrors.ts';
import { type ProbeFlags, probeFromFlags } from '../shared/probe/probe-from-flags.ts';
import { readHidden } from './read-hidden.ts';

/** Name of the secret with the token of the hub. */
const hubKey = providerKeyName('hub');

/** `landfall probe`: finds the route to hosted providers. */
export function probeCommand() {
  return probeCommandWith('the route of the site')
    .addCommand(
      hubCommand('the route of the site', 'that of the site, else Hugging Face').action(probeHub),
    )
    .addCommand(mirrorsCommand('the route of the site').action(probeSiteMirrors))
    .action(probe);
}

async function probe(urls: readonly string[], flags: ProbeFlags): Promise<void> {
  const site = await siteOf(new Host('/', runCommand));
  const { text, exitCode } = await probeFromFlags(urls, flags, {
    providers: site?.providers,
    ...inputsOf(site),
    screen: process.stderr,
  });
  console.log(text);
  process.exitCode = exitCode;
}

async function probeHub(model: string, flags: HubFlags): Promise<void> {
  const host = new Host('/', runCommand);
  const site = await siteOf(host);
  // The secret belongs to the hub of the site, and not to another URL.
  const hub = flags.url === undefined ? site?.hub : undefined;
  const storedToken = async () => (hub ? await readSecret(host, hubKey) : undefined);
  const ask = () =>
    readHidden(
      inLanguage({
        en: 'Access token of the hub (hidden): ',
        zh: '模型社区的访问令牌（不显示）：',
      }),
    );
  const url = flags.url ?? hub?.base_url;
  const { text, exitCode } = await hubFromFlags(
    model,
    { ...flags, ...(url ? { url } : {}) },
    {
      ...inputsOf(site),
      token: async () => process.env.HF_TOKEN || (await storedToken()) || (await ask()),
    },
  );
  console.log(text);
  process.exitCode = exitCode;
}

async function probeSiteMirrors(flags: MirrorFlags): Promise<void> {
  const host = new Host('/', runCommand);
  const site = await siteOf(host);
  const { text, exitCode } = await mirrorsFromFlags(flags, {
    mirrors: site?.mirrors,
    images: site && (await imagesOf(host, site)),
    ...inputsOf(site),
  });
  console.log(text);
  process.exitCode = exitCode;
}

/** Returns the images that this server pulls with a thin bundle; empty before it has a release. */
async function imagesOf(host: Host, site: Site): Promise<MirroredImage[]> {
  const manifest = await readFile(host.path(currentRelease, 'release.json')).catch(() => undefined);
  if (manifest === undefined) return [];
  return chosenImages(decodeNewerRelease(manifest).release, site).map((image) => ({
    ...imageName(image.reference),
    digest: image.manifest ?? image.index,
  }));
}

/** Returns the proxy settings: the route of the site, else the environment. */
function inputsOf(site: Site | undefined) {
  const { env, stdin } = process;
  return {
    route: site === undefined ? env : goRouteEnvironment(site, 'host'),
    env,
    askPassword: stdin.isTTY
      ? () =>
          readHidden(
            inLanguage({ en: 'Password of the proxy (hidden): ', zh: '代理的密码（不显示）：' }),
          )
      : undefined,
  };
}

/** Returns the site, or undefined if this machine has none or the user may not read it. */
async function siteOf(host: Host): Promise<Site | undefined> {
  try {
    return (await readText(host, siteFile)) === undefined ? undefined : await readSite(host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    process.stderr.write(
      inLanguage({
        en: `landfall: only root can read /${siteFile}; run with sudo to use its route\n`,
        zh: `landfall：只有 root 能读取 /${siteFile}；要使用它的线路，请加 sudo\n`,
      }),
    );
    return undefined;
  }
}
