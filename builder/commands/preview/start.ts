import type { ReleaseImage } from '#contract/bundle/release.ts';
import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages, missingComponents } from '#contract/site/chosen-images.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { engineModels } from '#smoke/engine-models.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { compose, needLoopbackOnly } from './compose.ts';
import type { Docker } from './docker/docker.ts';
import { isBundled, isLoaded, loadImages } from './load-images.ts';
import { bundledModels, loadModels } from './load-models.ts';
import { previewImage } from './override.ts';
import { prepareState } from './prepare-state.ts';
import type { Preview } from './preview.ts';
import type { PreviewState } from './state.ts';
import { writeFiles } from './write-files.ts';

/** A running preview. */
export interface StartedPreview {
  readonly state: PreviewState;
  /** For the smoke tests. */
  readonly target: SmokeTarget;
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
  const target = targetOf(state, stack);
  const present = await engineModels(target).catch(() => []);
  const models = bundledModels(reader.release).filter(
    ({ manifest }) =>
      stack.models.some(({ digest }) => digest === manifest) &&
      !present.some(({ digest }) => manifest === `sha256:${digest}`),
  );
  const { stdout: container } = await compose(docker, folder, project, ['ps', '-q', 'engine']);
  await loadModels(docker, reader, container, models, reporter);
  await folder.writeState(started);
  return { state: started, target };
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
  const absent = images.filter((image) => !bundled.includes(image));
  await loadImages(docker, reader, bundled, project, reporter);
  const pulled = new Set(state.pulled);
  const record = async (reference: string) => {
    pulled.add(reference);
    await folder.writeState({ ...state, pulled: [...pulled] });
  };
  await pullImages(docker, absent, { project, reporter, record });
}

function targetOf(
  { ports, secrets }: PreviewState,
  { site, email, hostedOnly, models }: Awaited<ReturnType<typeof writeFiles>>,
): SmokeTarget {
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

/** Seconds. The first start of the chat UI takes minutes on two small cores. */
const startSeconds = 900;

/**
 * Starts the containers of a preview and waits until they are healthy.
 * @throws LandfallError STACK_UNHEALTHY
 */
async function startServices(preview: Preview): Promise<void> {
  const { project, docker, folder, reporter } = preview;
  const up = ['up', '--detach', '--remove-orphans', '--wait', '--wait-timeout', `${startSeconds}`];
  const healthy = new Set<string>();
  const end = await compose(docker, folder, project, up, (line) => {
    const [, service] = / Container \S+-(\w+)-1\s+Healthy$/.exec(line) ?? [];
    if (!service || healthy.has(service)) return;
    healthy.add(service);
    reporter.note(`${service} is healthy`);
  });
  if (end.code === 0) {
    // A gateway that was already running still has its previous settings.
    await compose(docker, folder, project, ['exec', '-T', 'gateway', 'kill', '-HUP', '1']);
    return;
  }
  throw new LandfallError('STACK_UNHEALTHY', 'a component of the preview did not start', {
    hint: `See the logs: docker compose --project-name ${project} logs --tail 50`,
    problems: end.stderr
      .split('\n')
      .slice(-4)
      .map((line) => ({ message: plainLine(line) })),
  });
}

/** What {@link pullImages} needs besides Docker. */
interface PullOptions {
  readonly project: string;
  readonly reporter: Reporter;
  /** Records a name before it is pulled, so that it is removed even after an interruption. */
  record(reference: string): Promise<void>;
}

/**
 * Pulls the images that a thin bundle names, by digest, and gives them the names of this preview.
 * Images that Docker already has keep their other names.
 * @throws LandfallError COMMAND_FAILED
 */
export async function pullImages(
  docker: Docker,
  images: readonly ReleaseImage[],
  { project, reporter, record }: PullOptions,
): Promise<void> {
  for (const image of images) {
    const name = previewImage(project, image);
    if (await isLoaded(docker, image, name)) continue;
    const reference = digestReference(image);
    const isPresent =
      (await docker.lines('image', 'inspect', '--format', '1', reference)).length > 0;
    if (!isPresent) {
      await record(reference);
      reporter.note(`pulling ${image.reference}`);
      await docker.run(['image', 'pull', '--quiet', reference]);
    }
    await docker.run(['image', 'tag', reference, name]);
    if (!isPresent) await docker.run(['image', 'rm', '--no-prune', reference], { anyCode: true });
  }
}

/** Returns the reference of an image with its digest instead of its tag. */
function digestReference({ reference, manifest, index }: ReleaseImage): string {
  const name = reference.replace(/@.*$/, '').replace(/:[^:/]+$/, '');
  return `${name}@${manifest ?? index}`;
}
