import { parse } from 'yaml';
import { z } from 'zod';
import { composeFolder } from '#contract/bundle/bundle-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { writeCertificates } from './certificates.ts';
import { composeFilesList, overrideFile } from './compose.ts';
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
  const { version } = reader.release;
  for (const path of reader.below(composeFolder)) await folder.write(path, await reader.read(path));
  const { files, overrides, ...rendered } = renderPreview({
    site,
    release: { version, models: bundledModels(reader.release) },
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
  const override = renderOverride({ project, version, ports: state.ports, services });
  await folder.write(overrideFile, override);
  await folder.makeShared('server/gateway-log');
  await folder.write('server/gateway-log/access.log', '', 0o666);
  await folder.makeShared('server/acme/challenges');
  await writeCertificates(preview);
  return { site, ...rendered };
}
