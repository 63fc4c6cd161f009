import { ensureGatewayPairs, hasGatewayPairs } from '../certificates/gateway-pairs.ts';
import { ensureGatewayLog } from '../host/gateway-log.ts';
import { stopPage } from '../progress/page/page-unit.ts';
import { unmadeSecrets } from '../secrets/secret-values.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { awaitHealth, lateServices, unhealthy } from './await-health.ts';
import { reloadGateway } from './reload-gateway.ts';
import { renderForServer } from './render/for-server.ts';
import { serviceStates, wantedServices } from './services.ts';
import { startServices } from './start-services.ts';
import { upkeepWarnings } from './upkeep-warnings.ts';
import { outdatedFiles, writeStack } from './write-stack.ts';

/** Configures and starts the services. */
export const stackStage: Stage = {
  name: 'stack',
  title: 'stack: inference engine, chat UI, proxy and gateway',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, site, releaseFolder } = context;
  if ((await unmadeSecrets(host, site)).length > 0) return ['configure the stack and start it'];
  const outdated = await outdatedFiles(host, await renderForServer(context));
  if (outdated.length > 0) return outdated.map(({ path }) => `write ${path}`);
  if (!(await hasGatewayPairs(host))) return ['create a self-signed certificate'];
  const states = await serviceStates(host, releaseFolder);
  const late = lateServices(await wantedServices(host, releaseFolder), states);
  return late.map(({ name }) => `start ${name}`);
}

async function apply(context: Context): Promise<void> {
  const { host, site, releaseFolder, report } = context;
  await writeStack(host, await renderForServer(context));
  await ensureGatewayPairs(host, site);
  await ensureGatewayLog(host);
  report.say('starting the services');
  // The gateway uses the port of the progress page.
  await stopPage(host);
  await startServices(host, releaseFolder);
  await awaitHealth(context);
  // A gateway that was already running still has the previous configuration.
  await reloadGateway(host);
}

async function prove({ host, releaseFolder, report, site }: Context): Promise<void> {
  for (const warning of upkeepWarnings(site)) report.warn(warning);
  const states = await serviceStates(host, releaseFolder);
  const late = lateServices(await wantedServices(host, releaseFolder), states);
  if (late.length > 0) throw unhealthy(late);
}
