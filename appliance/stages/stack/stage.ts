import { setTimeout as sleep } from 'node:timers/promises';
import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { hasRelayBudgets } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { inLanguage } from '#contract/text/language.ts';
import { missingOfTunnel, prepareTunnel, removeTunnel } from '../../server/access/tunnel.ts';
import { hasClientPair } from '../../server/certificates/client-pair.ts';
import { ensureGatewayPairs, hasGatewayPairs } from '../../server/certificates/gateway-pairs.ts';
import type { Host } from '../../server/host/host.ts';
import { stopPage } from '../../server/progress/page/page-unit.ts';
import type { BilingualWarning } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { unmadeSecrets } from '../secrets/secret-values.ts';
import { awaitHealth, lateServices, unhealthy } from './await-health.ts';
import { applyClientPair } from './components/balancer/client-certificate.ts';
import { describeGroups, haproxyFile } from './components/balancer/configuration.ts';
import { compose, reloadGateway, wantedServices } from './compose.ts';
import { refreshProviderModels } from './provider-models.ts';
import { ensureGatewayLog, ensureRelayUsage } from './public.ts';
import type { RenderedFile } from './rendered-file.ts';
import { halfReplaced, serviceStates } from './stack-state.ts';
import { forgetStopped, readStopped } from './stopped.ts';
import { deployNodes, missingForNodes, prepareNodes } from './swarm.ts';
import {
  outdatedFiles,
  removeStale,
  renderForServer,
  strayFiles,
  writeStack,
} from './write-stack.ts';

/** Configures and starts the services. */
export const stackStage: Stage = {
  name: 'stack',
  title: 'stack: inference engine, chat UI, proxy and gateway',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, site, release, server } = context;
  if ((await unmadeSecrets(host, site)).length > 0) return [inLanguage(todo.configure)];
  const files = await renderForServer(context);
  const outdated = await outdatedFiles(host, files);
  const stray = (await strayFiles(host, files)).map(todo.remove);
  if (outdated.length > 0) {
    const hasGroups = outdated.some(({ path }) => path === haproxyFile);
    return [
      ...described(outdated),
      ...stray,
      ...(hasGroups ? describeGroups({ site, models: localModels(release, site, server) }) : []),
    ];
  }
  if (stray.length > 0) return stray;
  if (!(await hasGatewayPairs(host))) return [inLanguage(todo.selfSigned)];
  if (site.engines && !(await hasClientPair(host))) return [inLanguage(todo.clientPair)];
  const linked = [...(await missingOfTunnel(host, site)), ...(await missingForNodes(context))];
  if (linked.length > 0) return linked;
  const late = lateServices(await services(context), await serviceStates(host));
  const half = await halfReplaced(host);
  return [
    ...half.map(todo.replace),
    ...(await unwantedServices(context)).map(todo.remove),
    ...late.map(({ name }) => todo.start(name)),
  ];
}

const todo = {
  configure: { en: 'configure the stack and start it', zh: '配置各组件并启动' },
  selfSigned: { en: 'create a self-signed certificate', zh: '创建自签名证书' },
  clientPair: { en: 'create the certificate for inference servers', zh: '创建推理服务器用的证书' },
  remove: (name: string) => inLanguage({ en: `remove ${name}`, zh: `删除 ${name}` }),
  replace: (name: string) => inLanguage({ en: `replace ${name}`, zh: `替换 ${name}` }),
  start: (name: string) => inLanguage({ en: `start ${name}`, zh: `启动 ${name}` }),
  write: (path: string) => inLanguage({ en: `write ${path}`, zh: `写入 ${path}` }),
  writePages: (count: number) =>
    inLanguage({ en: `write ${count} pages of the documentation`, zh: `写入 ${count} 页使用说明` }),
} as const;

/** Returns a line for each file, and one for all pages of the documentation. */
export function described(files: readonly RenderedFile[]): string[] {
  const pages = files.filter(({ path }) => path.startsWith('docs/'));
  const others = files.filter((file) => !pages.includes(file)).map(({ path }) => todo.write(path));
  if (pages.length < 2) return files.map(({ path }) => todo.write(path));
  return [...others, todo.writePages(pages.length)];
}

/** Returns the services with a container that the site no longer has: Compose leaves those running. */
async function unwantedServices({ host, releaseFolder }: Context): Promise<string[]> {
  const wanted = await wantedServices(host, releaseFolder);
  const found = await serviceStates(host);
  return found.map(({ name }) => name).filter((name) => !wanted.includes(name));
}

async function apply(context: Context): Promise<void> {
  const { host, site, report } = context;
  const files = await renderForServer(context);
  const changed = (await outdatedFiles(host, files)).map(({ path }) => path);
  await writeStack(host, files);
  await removeStale(host, files);
  await ensureGatewayPairs(host, site);
  await applyClientPair(host, site);
  await ensureGatewayLog(host);
  if (hasRelayBudgets(site)) await ensureRelayUsage(host);
  await prepareTunnel(host, site, report);
  await prepareNodes(context, changed);
  report.say(inLanguage({ en: 'starting the services', zh: '启动服务' }));
  // The gateway uses the port of the progress page.
  await stopPage(host);
  const half = await halfReplaced(host);
  if (half.length > 0) await host.run('docker', ['rm', '--force', ...half]);
  await startServices(context);
  for (const name of await unwantedServices(context)) {
    await host.run('docker', ['rm', '--force', `landfall-${name}`]);
  }
  // Compose has started all components, also those that an administrator had stopped.
  await forgetStopped(host);
  await awaitHealth(context);
  if (await refreshProviderModels(host, site)) {
    report.say(
      inLanguage({ en: 'updating the models of the front-ends', zh: '更新前端的模型列表' }),
    );
    await writeStack(host, await renderForServer(context));
    await startServices(context);
    await awaitHealth(context);
  }
  await removeTunnel(host, site);
  await deployNodes(context);
  // A gateway that was already running still has the previous configuration.
  await reloadGateway(host);
}

async function prove(context: Context): Promise<void> {
  const { host, report, site } = context;
  for (const warning of upkeepWarnings(site)) report.warn(warning);
  const late = lateServices(await services(context), await serviceStates(host));
  if (late.length > 0) throw unhealthy(late);
}

/** Returns the services that should run: those that an administrator stopped stay stopped. */
async function services({ host, releaseFolder }: Context): Promise<string[]> {
  const stopped = await readStopped(host);
  return (await wantedServices(host, releaseFolder)).filter((name) => !stopped.has(name));
}

/** Returns a warning about each enabled component that gets no more releases. */
export function upkeepWarnings({ components }: Pick<Site, 'components'>): BilingualWarning[] {
  return selectableComponents
    .filter((name) => components[name])
    .flatMap((name) => {
      const text = componentOf(name).upkeep;
      return text ? [{ kind: 'component' as const, subject: name, text }] : [];
    });
}

/** Seconds. The images are present, so only stopping and starting containers takes time. */
const upSeconds = 600;
/** Seconds before each attempt after the first. */
const pauses: readonly number[] = [0, 5, 20, 40];
/**
 * Failures of Docker after which another attempt can succeed. Observed after a restart of Docker: it starts
 * a container again that Compose has just stopped to replace it, and then refuses to remove it. Observed on
 * a slow server with a new Swarm: connecting HAProxy to the network of the nodes takes more than the 20
 * seconds that Docker allows, and an attempt at once after that does not find this network.
 */
const passing =
  /cannot remove container .*is running|attaching to network failed|network \S+ not found/;

/** Docker cannot publish a port. The rest of the line may be cut off. */
const boundPort = /Bind for \S+:(\d+) failed/;

/** A service that others wait for has ended, or is unhealthy. */
const notStarted = /dependency failed to start|is unhealthy|exited \(\d+\)/;

/**
 * Creates and starts the containers of the stack, and replaces those with other settings.
 * @param waits seconds before each attempt after a passing failure
 * @throws LandfallError STACK_UNHEALTHY, COMMAND_FAILED
 */
export async function startServices(
  context: Pick<Context, 'host' | 'releaseFolder' | 'report'>,
  waits: readonly number[] = pauses,
): Promise<void> {
  const { host, releaseFolder, report } = context;
  const [wait, ...later] = waits;
  try {
    await compose(host, releaseFolder, ['up', '--detach', '--remove-orphans'], {
      seconds: upSeconds,
    });
  } catch (error) {
    if (wait !== undefined && says(error, passing).length > 0) {
      report.say(
        inLanguage({
          en: 'Docker could not start every service yet; trying again',
          zh: 'Docker 还没能启动所有服务，正在重试',
        }),
      );
      await host.outside.measure(() => sleep(wait * 1000));
      return await startServices(context, later);
    }
    if (wait !== undefined && (await freeLeakedPort(host, error, report))) {
      return await startServices(context, []);
    }
    const problems = says(error, notStarted);
    if (problems.length === 0) throw error;
    throw new LandfallError('STACK_UNHEALTHY', 'a component of the stack did not start', {
      hint: {
        en: 'Its log has the reason: sudo docker logs --tail 50 landfall-<component>',
        zh: '原因见它的日志：sudo docker logs --tail 50 landfall-<组件>',
      },
      problems,
      cause: error,
    });
  }
}

/**
 * Restarts Docker if it holds a port that no running container publishes. Observed with Docker 26 after a
 * restart while a container was replaced: its proxy stays, and nothing can bind the port. Containers run on.
 * @returns whether Docker was restarted
 */
async function freeLeakedPort(
  host: Host,
  error: unknown,
  report: Context['report'],
): Promise<boolean> {
  const [problem] = says(error, boundPort);
  const port = boundPort.exec(problem?.message ?? '')?.[1];
  if (port === undefined) return false;
  const { stdout } = await host.run('docker', ['ps', '--format', '{{.Ports}}']);
  if (stdout.includes(`:${port}->`)) return false;
  report.say(
    inLanguage({
      en: 'Docker holds a port of a container that is gone; restarting Docker',
      zh: 'Docker 占着已消失容器的端口，正在重启 Docker',
    }),
  );
  await host.run('systemctl', ['restart', 'docker.service'], { seconds: 120 });
  return true;
}

/** Returns the lines of a failed command that match. */
function says(error: unknown, text: RegExp): readonly Problem[] {
  if (!(error instanceof LandfallError)) return [];
  return error.problems.filter(({ message }) => text.test(message));
}
