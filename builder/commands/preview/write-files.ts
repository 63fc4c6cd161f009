import { parse } from 'yaml';
import { z } from 'zod';
import { composeFolder, gatewayConfigurationFile } from '#contract/bundle/bundle-paths.ts';
import { makePair } from '../../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import {
  authorityFile,
  certificateFiles,
} from '../../../appliance/stages/stack/gateway/certificate-files.ts';
import { overrideFile } from './compose.ts';
import { runProgram } from './docker/docker.ts';
import { bundledModels } from './load-models.ts';
import { renderOverride } from './override.ts';
import type { Preview } from './preview.ts';
import { previewSite, renderPreview } from './render.ts';
import type { PreviewState } from './state.ts';

const composeSchema = z.object({ services: z.record(z.string(), z.unknown()) });

/**
 * Writes everything that Compose and the containers read: the Compose files of the bundle, the rendered
 * files of the stack, and certificates. Returns what the smoke tests need to know.
 * @throws LandfallError BUNDLE_CONTENT, COMPOSE_INVALID, TOOL_MISSING, FILE_ACCESS, DISK_FULL
 */
export async function writeFiles(preview: Preview, { ports, secrets }: PreviewState) {
  const { project, folder, reader, facts: computer } = preview;
  const site = previewSite(preview.site, ports);
  for (const path of reader.below(composeFolder)) await folder.write(path, await reader.read(path));
  const release = { images: reader.release.images, models: bundledModels(reader.release) };
  const gatewayPath = `${composeFolder}/${gatewayConfigurationFile}`;
  const gatewayConfiguration =
    reader.sizeOf(gatewayPath) === undefined
      ? undefined
      : (await reader.read(gatewayPath)).toString('utf8');
  const input = { site, release, gatewayConfiguration, secrets, computer, project };
  const { files, ...rendered } = renderPreview(input);
  for (const { path, content } of files) await folder.write(`server/stack/${path}`, content);
  const text = await reader.read(`${composeFolder}/compose.yaml`);
  const services = Object.keys(composeSchema.parse(parse(text.toString('utf8'))).services);
  await folder.write(overrideFile, renderOverride({ project, ports, services }));
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

/**
 * Creates the certificates of the gateway, unless the preview has them. They are signed by a new
 * internal authority. The key of the authority is not kept, so that a user who trusts the authority
 * trusts only these certificates.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED, FILE_ACCESS, DISK_FULL
 */
async function writeCertificates({ folder, env, docker: { signal } }: Preview): Promise<void> {
  const pathOf = (name: string) => `server/stack/${name}`;
  // It is written last.
  if ((await folder.read(pathOf(authorityFile))) !== undefined) return;
  const host = new Host('/', (file, args) => runProgram(file, args, { env, signal }));
  const subject = 'Landfall preview authority';
  const authority = await makePair(host, { subject, names: [], authority: true, days });
  const pairs = {
    site: await makePair(host, { subject: 'localhost', names, days }, authority),
    other: await makePair(host, { subject: 'unknown host', names: [], days }),
  };
  for (const name of ['site', 'other'] as const) {
    await folder.write(pathOf(certificateFiles[name].chain), pairs[name].chain);
    await folder.write(pathOf(certificateFiles[name].key), pairs[name].key);
  }
  await folder.write(pathOf(authorityFile), authority.chain);
}
