import { modelSize } from '#contract/bundle/model-files.ts';
import { componentNames } from '#contract/component-names.ts';
import { installedMark } from '#contract/server-paths.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { urlOf } from '#contract/site/endpoints.ts';
import { hasPublicHttp } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { writeText } from '../server/host/files.ts';
import { Host } from '../server/host/host.ts';
import { type CommandFiles, installCommand } from '../server/host/install-command.ts';
import { takeChangeLock, takeRunLock } from '../server/host/lock/run-lock.ts';
import { runCommand } from '../server/host/run/command.ts';
import { ensureTrustAnchor } from '../server/host/trust-anchor.ts';
import { undoUnconfirmed } from '../server/host/undo/undo.ts';
import { type Facts, loadFacts } from '../server/load-facts.ts';
import { consoleLines } from '../server/progress/console.ts';
import { type ExpectedTimes, expectedTimes } from '../server/progress/page/expected-times.ts';
import { expireGatewayPage } from '../server/progress/page/page-file.ts';
import { startPage, stopPage } from '../server/progress/page/page-unit.ts';
import { Tracker } from '../server/progress/tracker.ts';
import { installedRelease } from '../server/stage/installed.ts';
import { Journal } from '../server/stage/journal.ts';
import { runStages } from '../server/stage/run-stages.ts';
import {
  type Context,
  type Stage,
  type StageName,
  stageNames,
  stageOrder,
} from '../server/stage/stage.ts';
import { banStage } from './ban/stage.ts';
import { firewallStage } from './firewall/stage.ts';
import { imagesStage } from './images/stage.ts';
import { kernelStage } from './kernel/stage.ts';
import { preflightStage } from './preflight/stage.ts';
import { consoleEnding } from './report/greeting.ts';
import { reportStage } from './report/stage.ts';
import { storedReport } from './report/stored-report.ts';
import { routeStage } from './route/stage.ts';
import { runtimeStage } from './runtime/stage.ts';
import { secretsStage } from './secrets/stage.ts';
import { sharedModelsStage } from './share-models.ts';
import { smokeStage } from './smoke/stage.ts';
import { sshStage } from './ssh/stage.ts';
import { stackStage } from './stack/stage.ts';
import { forgetStopped } from './stack/stopped.ts';
import { tlsStage } from './tls/stage.ts';
import { usersStage } from './users/stage.ts';

/** The stage of each name. `stageNames` has the order. */
const stageByName: Readonly<Record<StageName, Stage>> = {
  preflight: preflightStage,
  route: routeStage,
  users: usersStage,
  ssh: sshStage,
  firewall: firewallStage,
  ban: banStage,
  kernel: kernelStage,
  runtime: runtimeStage,
  images: imagesStage,
  secrets: secretsStage,
  stack: stackStage,
  tls: tlsStage,
  models: sharedModelsStage,
  smoke: smokeStage,
  report: reportStage,
};

/** All stages, in the order of most servers. */
export const stages: readonly Stage[] = stageNames.map((name) => stageByName[name]);

/** Returns the stages of a first boot in order. Each depends on the earlier ones. */
export function stagesFor(context: Pick<Context, 'host' | 'site'>): readonly Stage[] {
  return stageOrder(context).map((name) => stageByName[name]);
}

/** Returns the URL of the chat UI, or of the first other component with a host name; else undefined. */
function namedUrl(site: Site): string | undefined {
  const [url] = componentNames.flatMap((name) => urlOf(site, name) ?? []);
  return url && `${url}/`;
}

/**
 * Sets up the server. Idempotent: continues an interrupted run, and changes nothing on a server that
 * is already set up.
 * @param releaseFolder absolute path of the verified, unpacked release
 * @param commandFiles completion and manual page of `landfall`
 * @throws LandfallError ALREADY_RUNNING; the error of a stage, with the earlier stages applied
 */
export async function firstBoot(releaseFolder: string, commandFiles: CommandFiles): Promise<void> {
  const host = new Host('/', runCommand);
  const facts = await loadFacts(host, releaseFolder);
  await takeChangeLock(host, console.log);
  await takeRunLock(host, 'first-boot');
  const order = stagesFor(facts);
  // A later run does not show its progress: the gateway serves the site already.
  const isInstalled = (await installedRelease(host)) !== undefined;
  const url = isInstalled ? undefined : namedUrl(facts.site);
  // The console of a server has no Chinese font.
  const lines = consoleLines(console.log, process.stdout.isTTY ? currentLanguage() : 'en');
  const report = new Tracker(host, facts.release, order, [lines], {
    expected: expectTimes(facts),
    url,
    language: facts.site.language ?? 'en',
  });
  const servePage = async () => {
    if (hasPublicHttp(facts.site)) await startPage(host);
  };
  await report.begin();
  await servePage();
  await installCommand(host, commandFiles);
  await ensureTrustAnchor(host, facts.release);
  // The models and the smoke tests need all components.
  await forgetStopped(host);
  const undone = await undoUnconfirmed(host);
  if (undone.length > 0)
    report.say(
      inLanguage({
        en: `undid unconfirmed changes: ${undone.join(', ')}`,
        zh: `已撤销未确认的更改：${undone.join(', ')}`,
      }),
    );
  try {
    await runStages(order, { ...facts, report }, new Journal(host), report);
  } catch (error) {
    // The page shows that the setup has stopped, unless the gateway has port 80.
    await servePage();
    throw error;
  }
  await writeText(host, installedMark, `${facts.release.version}\n`);
  await report.done();
  await stopPage(host);
  if (url !== undefined) await expireGatewayPage(host);
  const ended = await storedReport.read(host);
  if (ended) for (const line of consoleEnding(ended)) console.log(line);
}

/** Returns how long each stage of a first boot is expected to take, by what the server installs. */
export function expectTimes({ release, site, server }: Facts): ExpectedTimes {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  return expectedTimes({
    kind: release.kind,
    images: sum(chosenImages(release, site).map(({ size }) => size ?? 0)),
    models: sum(localModels(release, site, server).models.map(modelSize)),
  });
}
