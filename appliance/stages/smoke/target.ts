import { isIP } from 'node:net';
import { parseModelName, shortModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { signInEmail } from '#contract/site/email.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { gatewayAddress } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { describeHostedOnly, localModels } from '#contract/sizes/local-models.ts';
import { inLanguage } from '#contract/text/language.ts';
import { storedMembership } from '../../nodes/swarm/membership.ts';
import { certificateNames } from '../../server/certificates/gateway-pairs.ts';
import { administratorSession } from '../../server/chats/session.ts';
import type { Host } from '../../server/host/host.ts';
import { passOf } from '../../server/records/transaction.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { LockedModel, SmokeTarget } from '../../shared/smoke/target.ts';
import { readSecrets } from '../secrets/secret-values.ts';
import { testPass } from '../stack/gateway/access.ts';

const enginePort = 11434;
const loopback = '127.0.0.1';

/** Returns the target for this server: the gateway over loopback or its tunnel, Ollama by its container's address. */
export async function serverTarget({
  host,
  site,
  release,
  releaseFolder,
  server,
}: Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder' | 'server'>): Promise<SmokeTarget> {
  const chosen = localModels(release, site, server);
  const secrets = await readSecrets(host, site);
  const [bareHost = loopback] = await certificateNames(host, site);
  const engine =
    (await containerAddress(host, 'landfall-engine')) ?? (await taskAddress(host, site));
  const pass = (await passOf(host)) ?? testPass(secrets);
  return {
    site,
    gateway: gatewayAddress(site) ?? loopback,
    ...(pass === undefined ? {} : { pass }),
    bareHost,
    inside: {
      engine: engine && `http://${engine.includes(':') ? engine : `${engine}:${enginePort}`}`,
      models: chosen.models.map(locked),
      ...(site.engines ? { modelsOfNodes: () => modelsOfNodes(host, site) } : {}),
      whyNoServer: () => whyNoServer(host, site),
      hostedOnly: describeHostedOnly(chosen),
      proxy: { host: loopback, port: site.ports.tinyproxy },
      secrets,
      administrator: {
        email: signInEmail(site),
        password: secrets.WEBUI_ADMIN_PASSWORD ?? '',
      },
      session: () => administratorSession(host, releaseFolder, secrets.WEBUI_SECRET_KEY ?? ''),
    },
  };
}

/** The Ollama that a Swarm runs on a node has no address that is known here, but the same port. */
async function taskAddress(host: Host, site: Site): Promise<string | undefined> {
  if (!isEngineNode(site) || !(await storedMembership.read(host))) return undefined;
  return `${loopback}:${site.ports.engine}`;
}

const noNode = {
  en: 'no node has joined yet: sudo landfall node token gpu1',
  zh: '还没有节点加入：sudo landfall node token gpu1',
};

async function whyNoServer(host: Host, { engines }: Site): Promise<string | undefined> {
  if (engines?.local !== 'no' || engines.nodes.length > 0) return undefined;
  const { swarmNodes } = await import('../../nodes/swarm/docker-swarm.ts');
  const hasNode = (await swarmNodes(host)).some(({ isManager }) => !isManager);
  return hasNode ? undefined : inLanguage(noNode);
}

/** The code is loaded on demand: most servers have no other servers. */
async function modelsOfNodes(host: Host, site: Site) {
  const { askNodes, trustOf } = await import('../../nodes/balancer/ask-nodes.ts');
  const answers = site.engines ? await askNodes(site.engines, await trustOf(host, site)) : [];
  return new Map(
    [...answers].map(([name, { models }]) => [name, models?.map((model) => model.name)]),
  );
}

function locked({ name, role, manifest }: ReleaseModel): LockedModel {
  const parsed = parseModelName(name);
  return { name: parsed ? shortModelName(parsed) : name, role, digest: manifest };
}

/**
 * Returns the first address of a running container, or undefined. Docker 29 prints a missing address as
 * `invalid IP`.
 */
async function containerAddress(host: Host, name: string): Promise<string | undefined> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const { stdout } = await host.run('docker', ['inspect', '--format', format, name], {
    accept: [1],
  });
  return stdout.split(/\s+/).find((word) => isIP(word) !== 0);
}
