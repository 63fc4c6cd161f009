import { parse } from 'yaml';
import { z } from 'zod';
import { composeFolder, gatewayConfigurationFile } from '#contract/bundle/bundle-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { makePair } from '../../appliance/certificates/make-pair.ts';
import { leafOf } from '../../appliance/certificates/pair.ts';
import { Host } from '../../appliance/host/host.ts';
import {
  authorityFile,
  certificateFiles,
} from '../../appliance/stack/gateway/certificate-files.ts';
import { composeFilesList, overrideFile } from './compose.ts';
import { runProgram } from './docker/docker.ts';
import { bundledModels } from './load-models.ts';
import { renderOverride } from './override.ts';
import type { Preview } from './preview.ts';
import { previewSite, renderPreview } from './render.ts';
import type { PreviewState } from './state.ts';

const composeSchema = z.object({ services: z.record(z.string(), z.unknown()) });

/** The stack of a preview, as the tests and the user see it. */
interface WrittenStack extends Omit<ReturnType<typeof renderPreview>, 'files' | 'overrides'> {
  /** Result of `previewSite`. */
  readonly site: Site;
}

/**
 * Writes everything that Compose and the containers read: the Compose files of the bundle, the rendered
 * files of the stack, and certificates.
 * @throws LandfallError BUNDLE_CONTENT, COMPOSE_INVALID, TOOL_MISSING, FILE_ACCESS, DISK_FULL
 */
export async function writeFiles(preview: Preview, state: PreviewState): Promise<WrittenStack> {
  const { project, folder, reader, facts } = preview;
  const site = previewSite(preview.site, state.ports);
  const { images } = reader.release;
  const gatewayPath = `${composeFolder}/${gatewayConfigurationFile}`;
  for (const path of reader.below(composeFolder)) await folder.write(path, await reader.read(path));
  const { files, overrides, ...rendered } = renderPreview({
    site,
    release: { images, models: bundledModels(reader.release) },
    gatewayConfiguration:
      reader.sizeOf(gatewayPath) === undefined
        ? undefined
        : (await reader.read(gatewayPath)).toString('utf8'),
    secrets: state.secrets,
    computer: facts,
    project,
  });
  for (const { path, content } of files) await folder.write(`server/stack/${path}`, content);
  const present = overrides.filter(
    (name) => reader.sizeOf(`${composeFolder}/${name}`) !== undefined,
  );
  await folder.write(composeFilesList, present.map((name) => `${name}\n`).join(''));
  const text = await reader.read(`${composeFolder}/compose.yaml`);
  const services = Object.keys(composeSchema.parse(parse(text.toString('utf8'))).services);
  const override = renderOverride({ project, ports: state.ports, services });
  await folder.write(overrideFile, override);
  await folder.makeShared('server/gateway-log');
  await folder.write('server/gateway-log/access.log', '', 0o666);
  await folder.makeShared('server/acme/challenges');
  await writeCertificates(preview);
  return { site, ...rendered };
}

/** Names under which the gateway of a preview is reached. */
const names = ['localhost', '127.0.0.1'];
/** Browsers reject server certificates with a longer lifetime. Days. */
const days = 397;

/** Paths of the certificates, relative to the stack's folder. */
const chains = [...Object.values(certificateFiles).map(({ chain }) => chain), authorityFile];
const privateKeys = Object.values(certificateFiles).map(({ key }) => key);

/**
 * Creates the certificates of the gateway, unless all of them exist and are valid for another day. They
 * are signed by a new internal authority. The key of the authority is not kept, so that a user who
 * trusts the authority trusts only these certificates.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED, FILE_ACCESS, DISK_FULL
 */
async function writeCertificates({ folder, env, docker }: Preview): Promise<void> {
  const pathOf = (name: string) => `server/stack/${name}`;
  const read = (all: readonly string[]) =>
    Promise.all(all.map((name) => folder.read(pathOf(name))));
  const hasKeys = (await read(privateKeys)).every((text) => text !== undefined);
  if (hasKeys && (await read(chains)).every(isCurrent)) return;
  const host = new Host('/', (file, args) =>
    runProgram(file, args, { env, signal: docker.signal }),
  );
  const subject = 'Landfall preview authority';
  const authority = await makePair(host, { subject, names: [], authority: true, days });
  const pairs = {
    site: await makePair(host, { subject: 'localhost', names, days }, authority),
    other: await makePair(host, { subject: 'unknown host', names: [], days }),
  };
  for (const [name, { chain, key }] of Object.entries(pairs)) {
    const paths = certificateFiles[name as keyof typeof pairs];
    await folder.write(pathOf(paths.chain), chain);
    await folder.write(pathOf(paths.key), key);
  }
  await folder.write(pathOf(authorityFile), authority.chain);
}

function isCurrent(chain: string | undefined): boolean {
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const leaf = chain === undefined ? undefined : leafOf(chain);
  return leaf !== undefined && leaf.validToDate > tomorrow;
}
