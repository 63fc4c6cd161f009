import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { engineTests } from '#smoke/cases/engine.ts';
import { runSmoke } from '#smoke/run-smoke.ts';
import { goRouteEnvironment } from '../../../server/host/download/route-environment.ts';
import type { Host } from '../../../server/host/host.ts';
import { serverTarget } from '../../../stages/smoke/target.ts';
import { reloadGateway } from '../../../stages/stack/compose.ts';
import {
  isStoppedTask,
  ranBySwarm,
  stackConditions,
} from '../../../stages/stack/describe-stack.ts';
import { stackState } from '../../../stages/stack/stack-state.ts';
import { type Fix, serverCheck, siteCheck, stageFix } from '../finding.ts';
import { asFindings } from './conditions.ts';

/** The fields of `docker inspect` that the checks use. */
const schema = z.object({
  Name: z.string().transform((name) => name.replace(/^\//, '')),
  /** `Pid`: of its first process on the server. `OOMKilled`: by the kernel, for lack of memory. */
  State: z.object({ Running: z.boolean(), Pid: z.number(), OOMKilled: z.boolean().optional() }),
  Config: z.object({ Env: z.array(z.string()).nullish() }),
  HostConfig: z.object({ NetworkMode: z.string(), ExtraHosts: z.array(z.string()).nullish() }),
  NetworkSettings: z.object({
    Networks: z.record(z.string(), z.object({ Aliases: z.array(z.string()).nullish() })),
  }),
});

/** A container of this server, Landfall's or not. */
type Container = z.infer<typeof schema>;

/**
 * Returns all containers of this server. Must be run as root.
 * @throws LandfallError COMMAND_FAILED, TOOL_MISSING if Docker does not respond
 */
async function allContainers(host: Host): Promise<Container[]> {
  const { stdout: ids } = await host.run('docker', ['ps', '--all', '--quiet', '--no-trunc']);
  const list = ids.split('\n').filter((id) => id !== '');
  if (list.length === 0) return [];
  // A container may have been removed since.
  const { stdout } = await host.run('docker', ['inspect', ...list], { accept: [1] });
  return z.array(schema).parse(JSON.parse(stdout));
}

/**
 * Reports a Docker that does not respond, and components that are not up, except those that an
 * administrator stopped.
 */
export const componentsCheck = serverCheck({ name: 'components', root: true }, async (host) => {
  const now = await stackState(host);
  const parts = 'parts' in now ? now.parts : [];
  return stackConditions(now).flatMap((condition) =>
    asFindings([condition]).map((found) => {
      if (found.code === 'DOCKER_DOWN') return { ...found, fix: startDocker };
      const part = parts.find(({ name }) => name === found.subject);
      const hint = part && isStoppedTask(part) ? [inLanguage(ranBySwarm)] : [];
      // The first server starts a task.
      const fix = part?.isTask ? {} : { fix: stageFix('stack') };
      return { ...found, details: [condition.command, ...hint], ...fix };
    }),
  );
});

const startDocker: Fix = {
  does: { en: 'start Docker and its components', zh: '启动 Docker 及其组件' },
  apply: async ({ host, runStage }) => {
    // After several failures systemd rejects further starts.
    await host.succeeds('systemctl', ['reset-failed', 'docker.service']);
    await host.run('systemctl', ['start', 'docker.service']);
    // Waits for the components: the next diagnosis would report those that still start.
    await runStage('stack');
    // nginx would use the previous addresses of the components for ten more seconds.
    await reloadGateway(host);
  },
};

/** Reports containers that the kernel killed because they exceeded their memory. */
export const memoryCheck = serverCheck({ name: 'memory', root: true }, async (host) =>
  (await allContainers(host))
    .filter(({ State }) => State.OOMKilled)
    .map(({ Name: name }) => ({
      code: 'OUT_OF_MEMORY',
      subject: name,
      text: {
        en: `the container ${name} was killed because it exceeded its memory`,
        zh: `容器 ${name} 因超出内存上限被终止`,
      },
    })),
);

const hostName = 'host.docker.internal';

/** Reports containers whose settings name the host in a way that Linux does not resolve (SPEC 7). */
export const containerHostNameCheck = serverCheck(
  { name: 'container-host-name', root: true },
  async (host) =>
    (await allContainers(host))
      .filter((each) => each.State.Running && !resolves(each))
      .flatMap(({ Name: name, Config: { Env } }) =>
        (Env ?? [])
          .filter((line) => isNamedIn(line))
          .map((line) => line.split('=')[0] ?? '')
          .map((variable) => ({
            code: 'HOST_NAME_IN_CONTAINER',
            subject: name,
            text: {
              en: `${variable} of the container ${name} names ${hostName}, which the container cannot resolve`,
              zh: `容器 ${name} 的 ${variable} 使用了 ${hostName}，容器无法解析这个名称`,
            },
          })),
      ),
);

/** NO_PROXY only lists the name; its value is not resolved. */
function isNamedIn(line: string): boolean {
  return line.includes(hostName) && !/^no_proxy=/i.test(line);
}

function resolves({ HostConfig: { NetworkMode, ExtraHosts } }: Container): boolean {
  const names = ExtraHosts ?? [];
  return NetworkMode === 'host' || names.some((line) => line.startsWith(`${hostName}:`));
}

const engineName = 'landfall-engine';

/**
 * Reports an inference engine that runs without the proxy of the route. Its variables come from a
 * file, so only its process has them, and `docker inspect` does not.
 */
export const containerProxyCheck = siteCheck(
  { name: 'container-proxy', root: true },
  async ({ host, site }) => {
    const { HTTPS_PROXY: proxy } = goRouteEnvironment(site, 'container');
    if (proxy === undefined) return [];
    const running = (await allContainers(host)).find(
      ({ Name, State }) => Name === engineName && State.Running,
    );
    if (!running) return [];
    const env = await readFile(host.path('proc', `${running.State.Pid}`, 'environ'), 'utf8');
    if (env.split('\0').includes(`HTTPS_PROXY=${proxy}`)) return [];
    return [
      {
        code: 'CONTAINER_WITHOUT_PROXY',
        subject: engineName,
        text: {
          en: `the container ${engineName} does not use the proxy of the site`,
          zh: `容器 ${engineName} 没有使用站点的代理`,
        },
        fix: stageFix('stack'),
      },
    ];
  },
);

const variable = 'OLLAMA_BASE_URL';
/** `compose.yaml` and `balancer/ui.yaml` set the same values. */
const engineUrl = 'http://engine:11434';
const balancerUrl = 'http://balancer:11434';

/** Reports a chat UI that cannot reach the inference engine (SPEC 7). */
export const engineCheck = siteCheck({ name: 'engine', root: true }, async (context) => {
  const containers = await allContainers(context.host);
  const [ui, engine] = ['landfall-ui', 'landfall-engine'].map((name) =>
    containers.find(({ Name, State }) => Name === name && State.Running),
  );
  // A component that is not running has its own finding.
  if (!ui || !engine) return [];
  const tests = engineTests.filter(({ name }) => name === 'engine-version');
  const [answer] = await runSmoke(await serverTarget(context), undefined, tests);
  const texts = [
    ...settingFault(ui, context.site.engines ? balancerUrl : engineUrl),
    ...(shareNetwork(ui, engine) ? [] : [noSharedNetwork]),
    ...(answer?.outcome === 'failed' ? [silentEngine(answer.detail ?? '')] : []),
  ];
  return texts.map((text) => ({
    code: 'UI_WITHOUT_ENGINE',
    subject: 'ui',
    text,
    fix: stageFix('stack'),
  }));
});

const noSharedNetwork = {
  en: 'the chat UI shares no network with Ollama',
  zh: '聊天界面与 Ollama 没有共同的网络',
};

function silentEngine(detail: string): Text {
  return { en: `Ollama does not answer: ${detail}`, zh: `Ollama 没有响应：${detail}` };
}

function settingFault({ Config: { Env } }: Container, url: string): Text[] {
  const value = Env?.find((line) => line.startsWith(`${variable}=`))?.slice(variable.length + 1);
  if (value === url) return [];
  return [
    {
      en: `${variable} of the chat UI is ${value ?? 'not set'} instead of ${url}`,
      zh: `聊天界面的 ${variable} ${value === undefined ? '没有设置' : `是 ${value}`}，应为 ${url}`,
    },
  ];
}

/** The UI finds Ollama by the alias `engine`, in a network that both have. */
function shareNetwork(ui: Container, engine: Container): boolean {
  const shared = ui.NetworkSettings.Networks;
  return Object.entries(engine.NetworkSettings.Networks).some(
    ([name, { Aliases }]) => name in shared && Aliases?.includes('engine'),
  );
}
