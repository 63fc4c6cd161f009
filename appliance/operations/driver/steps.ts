import { readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import {
  bootSettingsFile,
  currentRelease,
  installedMark,
  releasesFolder,
} from '#contract/server-paths.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { isExempt } from '#http/no-proxy.ts';
import { chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { runningContainers } from '../../server/chats/containers.ts';
import { existingVolume, runOnVolume, type VolumeTask } from '../../server/chats/sandbox.ts';
import { swapIn } from '../../server/chats/volume-copy.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { remove } from '../../server/host/service.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Transaction, TransactionState } from '../../server/records/transaction.ts';
import { changes } from '../transactions/kinds.ts';
import { hasWork, type Phase, runPhase } from '../transactions/phases.ts';
import { factsBefore, restoreFiles, saveFiles } from '../transactions/saved-files.ts';
import { keepEarlierSite, placeSite } from '../transactions/stored-sites.ts';
import { addEvent, closedPorts, removeDriver } from '../transactions/units.ts';
import { storedUpdates } from '../update/last-check.ts';
import { askToConfirm, awaitConfirmation } from './confirmation.ts';
import { currentName, endUpdate, removePrevious } from './end-update.ts';

interface ServerFacts {
  readonly host: Host;
  readonly site: Site;
  readonly arch: Architecture;
}

/** What a server does while a transaction is applied. A step that fails leads back, or is repeated. */
export type Steps = ReturnType<typeof serverSteps>;

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

/** Returns the steps of an update on a server. */
export function serverSteps({ host, site, arch }: ServerFacts) {
  const nameOf = (version: string) => `${version}-${arch}`;
  const folderOf = (version: string) => host.path(releasesFolder, nameOf(version));
  // One after the other, in their order.
  let events = Promise.resolve();
  const epochOf = async (version: string) => {
    const manifest = await readFile(join(folderOf(version), 'release.json'));
    return decodeNewerRelease(manifest).release.dataEpoch;
  };
  /** IDs of the containers of the chat UI and Ollama that run. */
  const running = async () =>
    (await Promise.all(stopped.map((name) => runningContainers(host, name)))).flat();
  type Copy = Pick<Transaction, 'id' | 'from'>;
  const onVolume = async (name: string, task: VolumeTask, { id, from }: Copy) => {
    const folder = await existingVolume(host, name);
    return folder && (await runOnVolume(host, folderOf(from), task, folder, id));
  };
  return {
    /** Reports a state that begins, or a line. */
    say: (state: TransactionState, text?: string): void => {
      console.log(text ?? `landfall update: ${state}`);
      const event = { state, ...(text === undefined ? {} : { text }) };
      events = events.then(() => addEvent(host, event));
    },
    /** Runs a phase of a release. @param version that of the release */
    async phase(version: string, phase: Phase, open: Transaction): Promise<void> {
      if (!hasWork(phase, open)) return;
      const { id, state, plan } = open;
      const limit = phase === 'switch' ? (plan?.limit ?? limits.switch) : limits[phase];
      const onLine = (text: string) => this.say(state, text);
      const folder = folderOf(version);
      await runPhase(host, { folder }, { transaction: id, phase, limit, onLine });
    },
    /** Waits for Docker. @throws LandfallError if it does not respond */
    reachDocker: async (): Promise<void> => {
      await host.run('docker', ['ps', '--quiet']);
    },
    /** Returns whether the chat UI or Ollama runs. */
    runs: async (): Promise<boolean> => (await running()).length > 0,
    /** Stops the chat UI and Ollama. */
    stop: async (): Promise<void> => {
      const ids = await running();
      if (ids.length === 0) return;
      const args = ['stop', '--time', `${graceSeconds}`, ...ids];
      await host.run('docker', args, { seconds: 4 * graceSeconds });
    },
    /** Copies the data and what else `to` may change, unless the plan keeps no way back. It is on disk then. */
    copy: async (open: Transaction): Promise<void> => {
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
    /** Reports whether `from` can read the data as they are. Asked only if there is no copy. */
    fitsFrom: async (open: Transaction): Promise<boolean> => {
      const before = await factsBefore(open.id).read(host);
      // Nothing has touched the data yet.
      if (!before) return true;
      const printed = await onVolume('ui-data', 'facts', open);
      const now = chatFactsSchema.nullable().parse(JSON.parse(printed ?? 'null'));
      if (now && now.revision !== before.revision) return false;
      const isStarted = (await currentName(host)) === nameOf(open.to);
      return !isStarted || (await epochOf(open.from)) === (await epochOf(open.to));
    },
    /** Puts a copy in place of the data. @param id of the update that made it */
    restore: async ({ from }: Transaction, id: string): Promise<void> => {
      const folder = await existingVolume(host, 'ui-data');
      if (folder) {
        await onVolume('ui-data', 'verify', { id, from });
        await swapIn(folder, id);
      }
      await onVolume('engine-data', 'restore-manifests', { id, from });
      await restoreFiles(host, id);
    },
    /** Saves what a change of the site replaces, besides the data. It is on disk then. */
    save: async ({ id }: Transaction): Promise<void> => {
      await saveFiles(host, id);
      await host.run('sync', [], { seconds: 3600 });
    },
    /** Puts the changed site in place. */
    placeSite: async ({ restoreFrom }: Transaction): Promise<void> => {
      if (restoreFrom !== null) await placeSite(host, restoreFrom);
    },
    /** Arms the timer that undoes the change unless a new login confirms it. */
    askToConfirm: (open: Transaction) => askToConfirm(host, open),
    /** Waits for the confirmation. @throws LandfallError UNCONFIRMED */
    awaitConfirmation: (open: Transaction) => awaitConfirmation(host, open),
    /** Makes a release the current one. */
    pointTo: (version: string) => pointTo(host, nameOf(version)),
    /** Records `to` as the installed release, or the site that was replaced. */
    record: async (open: Transaction): Promise<void> => {
      if (changes('site', open)) await keepEarlierSite(host, open);
      if (!changes('release', open)) return;
      await recordInstalled(host, open, arch, site);
      await forgetOffer(host, open.to);
    },
    /** Lets a server be opened whose update has not ended: its chats may change from now on. */
    forgetFacts: ({ id }: Transaction) => factsBefore(id).remove(host),
    /** Opens the loopback ports. */
    openPorts: () => remove(host, closedPorts(site)),
    end: (open: Transaction) => endUpdate(host, site, arch, open),
    /** Removes the unit of this program, then its folder: it has nothing more to load. */
    leave: async (): Promise<void> => {
      await removeDriver(host);
      await removePrevious(host, arch);
    },
  };
}

const storedBoot = new StateFile(
  bootSettingsFile,
  z.looseObject({ product: z.string(), sources: z.array(z.unknown()) }),
  { isLine: true, mode: 0o600 },
);

/** Writes to boot.json the digest and the sources, so that a bootstrap that runs again installs no older release. */
async function recordInstalled(
  host: Host,
  { to, manifest, source }: Pick<Transaction, 'to' | 'manifest' | 'source'>,
  arch: Architecture,
  site: Pick<Site, 'route'>,
): Promise<void> {
  const boot = await storedBoot.read(host);
  if (boot) {
    const name = `${releaseName(boot.product, to, arch)}.tar`;
    const folders = source.urls.filter((url) => url.endsWith(`/${name}`));
    const sources = folders.map((url) => sourceOf(url.slice(0, -name.length), site));
    const { part } = source;
    const settings = {
      ...boot,
      version: to,
      manifests: { [arch]: manifest },
      parts: part === null ? undefined : { [arch]: part },
      // Another layout than that of the bootstrap: the release is on this server anyway.
      sources: sources.length > 0 ? sources : boot.sources,
    };
    await storedBoot.write(host, settings);
  }
  await writeText(host, installedMark, `${to}\n`);
}

/** Returns a source of the bootstrap with the proxy of the site, as `landfall user-data` writes it. */
function sourceOf(url: string, { route }: Pick<Site, 'route'>): object {
  if (!('url' in route) || isExempt(new URL(url), route.no_proxy.join(','))) return { url };
  return { url, [route.mode === 'socks5' ? 'socks' : 'proxy']: withPort(route.url) };
}

/** Records that a release is installed, until the next check looks for a newer one. */
async function forgetOffer(host: Host, installed: string): Promise<void> {
  const state = await storedUpdates.read(host);
  if (!state || state.installed === installed) return;
  const offer = { kind: 'up-to-date' } as const;
  await storedUpdates.write(host, { ...state, installed, offer, withdrawn: null });
}

/** Makes a release the current one, by one rename. @param name of its folder, such as `1.1.0-amd64` */
async function pointTo(host: Host, name: string): Promise<void> {
  const [path, next] = [host.path(currentRelease), host.path(`${currentRelease}.new`)];
  await rm(next, { force: true });
  await symlink(`releases/${name}`, next);
  await rename(next, path);
  await syncFolder(dirname(path));
}
