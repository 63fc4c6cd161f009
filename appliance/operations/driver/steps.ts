import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { runningContainers } from '../../server/chats/containers.ts';
import { existingVolume, runOnVolume, type VolumeTask } from '../../server/chats/sandbox.ts';
import { swapIn } from '../../server/chats/volume-copy.ts';
import type { Host } from '../../server/host/host.ts';
import { remove } from '../../server/host/service.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { addEvent } from '../transactions/events.ts';
import { changes } from '../transactions/kinds.ts';
import { type Phase, runPhase } from '../transactions/phases.ts';
import { restoreFiles, savedFolder, saveFiles } from '../transactions/saved-files.ts';
import { keepEarlierSite, placeSite } from '../transactions/stored-sites.ts';
import { forgetOffer } from '../update/state.ts';
import type { UpdateSteps } from './apply.ts';
import { closedPorts } from './closed-ports.ts';
import { askToConfirm, awaitConfirmation } from './confirmation.ts';
import { currentName, pointTo, recordInstalled } from './current-release.ts';
import { hasWork } from './site-work.ts';

interface ServerFacts {
  readonly host: Host;
  readonly site: Site;
  readonly arch: Architecture;
  /** Removes what the ended update leaves. */
  readonly end: UpdateSteps['end'];
}

/** The chat UI and Ollama: what has data, and is stopped while it is copied. */
const stopped = ['ui', 'engine'] as const;
/** Seconds that a container has to end. */
const graceSeconds = 30;

/** Seconds for phases that start nothing. `switch` has the limit of the plan. */
const limits: Readonly<Record<Phase, number>> = {
  plan: 300,
  baseline: 900,
  prepare: 1800,
  close: 300,
  switch: 900,
  verify: 900,
  finish: 600,
};

const options = { isLine: true, mode: 0o600 };

/** Facts about the chats before the update, which the phase `verify` compares. */
export const factsBefore = (id: string) =>
  new StateFile(`${savedFolder(id)}/chat-facts.json`, chatFactsSchema, options);

/** Names of the smoke tests that failed before the update, which the phase `verify` excuses. */
export const failedBefore = (id: string) =>
  new StateFile(`${savedFolder(id)}/failed-before.json`, z.array(z.string()), options);

/** Returns the steps of an update on a server. */
export function serverSteps({ host, site, arch, end }: ServerFacts): UpdateSteps {
  const nameOf = (version: string) => `${version}-${arch}`;
  const folderOf = (version: string) => host.path(releasesFolder, nameOf(version));
  // One after the other, in their order.
  let events = Promise.resolve();
  const say: UpdateSteps['say'] = (state, text) => {
    console.log(text ?? `landfall update: ${state}`);
    const event = { state, ...(text === undefined ? {} : { text }) };
    events = events.then(() => addEvent(host, event));
  };
  const epochOf = async (version: string) => {
    const manifest = await readFile(join(folderOf(version), 'release.json'));
    return decodeNewerRelease(manifest).release.dataEpoch;
  };
  type Copy = Pick<Transaction, 'id' | 'from'>;
  const onVolume = async (name: string, task: VolumeTask, { id, from }: Copy) => {
    const folder = await existingVolume(host, name);
    return folder && (await runOnVolume(host, folderOf(from), task, folder, id));
  };
  return {
    say,
    phase: async (version, phase, open) => {
      if (!hasWork(phase, open)) return;
      const { id, state, plan } = open;
      const limit = phase === 'switch' ? (plan?.limit ?? limits.switch) : limits[phase];
      const onLine = (text: string) => say(state, text);
      await runPhase(
        host,
        { folder: folderOf(version) },
        { transaction: id, phase, limit, onLine },
      );
    },
    reachDocker: async () => {
      await host.run('docker', ['ps', '--quiet']);
    },
    stop: async () => {
      const running = await Promise.all(stopped.map((name) => runningContainers(host, name)));
      const ids = running.flat();
      if (ids.length === 0) return;
      const args = ['stop', '--time', `${graceSeconds}`, ...ids];
      await host.run('docker', args, { seconds: 4 * graceSeconds });
    },
    copy: async (open) => {
      const keeps = open.plan?.keepsPrevious !== false;
      if (keeps) {
        await saveFiles(host, open.id);
        await onVolume('engine-data', 'copy-manifests', open);
      }
      // Without a copy, the facts still show whether the new release keeps the chats.
      const copy = changes('data', open) ? 'copy-before-restore' : 'copy';
      const printed = await onVolume('ui-data', keeps ? copy : 'facts', open);
      const facts = chatFactsSchema.nullable().parse(JSON.parse(printed ?? 'null'));
      if (facts) await factsBefore(open.id).write(host, facts);
      await host.run('sync', [], { seconds: 3600 });
    },
    fitsFrom: async (open) => {
      const before = await factsBefore(open.id).read(host);
      // Nothing has touched the data yet.
      if (!before) return true;
      const printed = await onVolume('ui-data', 'facts', open);
      const now = chatFactsSchema.nullable().parse(JSON.parse(printed ?? 'null'));
      if (now && now.revision !== before.revision) return false;
      const isStarted = (await currentName(host)) === nameOf(open.to);
      return !isStarted || (await epochOf(open.from)) === (await epochOf(open.to));
    },
    restore: async ({ from }, id) => {
      const folder = await existingVolume(host, 'ui-data');
      if (folder) {
        await onVolume('ui-data', 'verify', { id, from });
        await swapIn(folder, id);
      }
      await onVolume('engine-data', 'restore-manifests', { id, from });
      await restoreFiles(host, id);
    },
    save: async ({ id }) => {
      await saveFiles(host, id);
      await host.run('sync', [], { seconds: 3600 });
    },
    placeSite: async ({ restoreFrom }) => {
      if (restoreFrom !== null) await placeSite(host, restoreFrom);
    },
    askToConfirm: (open) => askToConfirm(host, open),
    awaitConfirmation: (open) => awaitConfirmation(host, open),
    pointTo: (version) => pointTo(host, nameOf(version)),
    record: async (open) => {
      if (changes('site', open)) await keepEarlierSite(host, open);
      if (!changes('release', open)) return;
      await recordInstalled(host, open, arch, site);
      await forgetOffer(host, open.to);
    },
    forgetFacts: ({ id }) => factsBefore(id).remove(host),
    openPorts: () => remove(host, closedPorts(site)),
    end,
  };
}
