import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages, missingComponents } from '#contract/site/chosen-images.ts';
import type { Target } from '#smoke/target.ts';
import { compose, needLoopbackOnly } from './compose.ts';
import { listedDigests } from './listed-models.ts';
import { isBundled, loadImages } from './load-images.ts';
import { bundledModels, loadModels } from './load-models.ts';
import { prepareState } from './prepare-state.ts';
import type { Preview } from './preview.ts';
import { pullImages } from './pull-images.ts';
import { startServices } from './start-services.ts';
import type { PreviewState } from './state.ts';
import { writeFiles } from './write-files.ts';

/** A running preview. */
export interface StartedPreview {
  readonly state: PreviewState;
  /** For the smoke tests. */
  readonly target: Target;
}

/**
 * Starts a preview, or brings an existing one up to date with its bundle and site.
 * @param port the port of the gateway that the user requires
 * @throws LandfallError PORT_TAKEN, COMPOSE_INVALID, COMMAND_FAILED, STACK_UNHEALTHY, BUNDLE_CONTENT
 */
export async function startPreview(
  preview: Preview,
  port: number | undefined,
): Promise<StartedPreview> {
  const { project, docker, folder, reader, reporter } = preview;
  refuseMissing(preview);
  const state = await prepareState(preview, port);
  const stack = await writeFiles(preview, state);
  await needLoopbackOnly(docker, folder, project);
  await bringImages(preview, state);
  reporter.step('starting the services; the first start takes a few minutes');
  await startServices(preview);
  // After this point, an interrupted run leaves the preview as it is.
  const started = { ...state, ...(await folder.readState()), started: true };
  const [container = ''] = await composeLines(preview, ['ps', '--quiet', 'engine']);
  const models = bundledModels(reader.release).filter(({ manifest }) =>
    stack.models.some(({ digest }) => digest === manifest),
  );
  const listed = await listedDigests(state.ports.engine);
  await loadModels(docker, reader, { container, models, listed }, reporter);
  await folder.writeState(started);
  return { state: started, target: targetOf(state, stack) };
}

/** @throws LandfallError USAGE when the site enables a component that the bundle does not have */
function refuseMissing({ reader, site }: Preview): void {
  const missing = missingComponents(reader.release, site);
  if (missing.length === 0) return;
  throw new LandfallError('USAGE', 'the bundle does not have every component of the site', {
    hint: 'Build the bundle with these components, or turn them off in the site.',
    problems: missing.map(({ name, because }) => ({ message: `${name} is missing: ${because}` })),
  });
}

/** Certificates of a preview need no certificate client. */
async function bringImages(preview: Preview, state: PreviewState): Promise<void> {
  const { project, docker, folder, reader, site, reporter } = preview;
  const images = chosenImages(reader.release, site).filter(
    ({ component }) => componentOf(component as ComponentName)?.runs !== 'on-timer',
  );
  const bundled = images.filter((image) => isBundled(reader, image));
  await loadImages(docker, reader, bundled, project, reporter);
  const pulled = new Set(state.pulled);
  await pullImages(
    docker,
    images.filter((image) => !bundled.includes(image)),
    {
      project,
      version: reader.release.version,
      reporter,
      record: async (reference) => {
        pulled.add(reference);
        await folder.writeState({ ...state, pulled: [...pulled] });
      },
    },
  );
}

async function composeLines({ docker, folder, project }: Preview, args: string[]) {
  return (await compose(docker, folder, project, args)).stdout.split('\n');
}

function targetOf(
  { ports, secrets }: PreviewState,
  { site, email, hostedOnly, models }: Awaited<ReturnType<typeof writeFiles>>,
): Target {
  const loopback = '127.0.0.1';
  return {
    site,
    gateway: loopback,
    gatewayPorts: { http: ports.http, https: ports.https },
    bareHost: loopback,
    inside: {
      engine: `http://${loopback}:${ports.engine}`,
      models,
      hostedOnly,
      proxy: { host: loopback, port: ports.tinyproxy ?? site.ports.tinyproxy },
      secrets,
      administrator: { email, password: secrets.WEBUI_ADMIN_PASSWORD ?? '' },
    },
  };
}
