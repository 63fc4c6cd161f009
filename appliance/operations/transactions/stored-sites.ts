import { z } from 'zod';
import { siteFile, siteTextFile } from '#contract/server-paths.ts';
import { readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { savedFolder } from './saved-files.ts';

/** The sites before each change, named by its time. Only root may read them. */
const folder = 'var/lib/landfall/sites';
const maxSites = 10;
/** The last site.yaml that a user wrote and that is not in effect. */
export const refusedSiteFile = `${folder}/refused.yaml`;

const earlierSchema = z.object({
  /** The user who changed it. */
  author: z.string(),
  /** JSON, as in site.json. */
  json: z.string(),
  /** As in site.yaml; null if there was none. */
  text: z.string().nullable(),
});

const earlierSite = (name: string) =>
  new StateFile(`${folder}/${name}`, earlierSchema, { isLine: true, mode });

/** A site that was replaced. */
interface EarlierSite extends z.infer<typeof earlierSchema> {
  /** When it was replaced: ISO 8601. */
  readonly at: string;
}

/** A site that is about to be applied. */
interface Candidate {
  /** As in site.json. */
  readonly json: string;
  /** As in site.yaml. */
  readonly text: string;
  readonly author: string;
}

const mode = 0o600;
const authorOf = (id: string) => `${savedFolder(id)}/author`;

/** Writes a changed site where its transaction finds it. @param id of the transaction's files */
export async function writeCandidate(host: Host, id: string, site: Candidate): Promise<void> {
  await writeText(host, `${savedFolder(id)}/${siteFile}`, site.json, { mode });
  await writeText(host, `${savedFolder(id)}/${siteTextFile}`, site.text, { mode });
  await writeText(host, authorOf(id), site.author, { mode });
}

/** Puts a changed site in place. Idempotent. */
export async function placeSite(host: Host, id: string): Promise<void> {
  for (const path of [siteTextFile, siteFile]) {
    const text = await readText(host, `${savedFolder(id)}/${path}`);
    if (text !== undefined) await writeText(host, path, text, { mode });
  }
}

/** Keeps the site that a transaction has replaced, and the nine before it. Idempotent. */
export async function keepEarlierSite(
  host: Host,
  { id, began, restoreFrom }: Pick<Transaction, 'id' | 'began' | 'restoreFrom'>,
): Promise<void> {
  const json = await readText(host, `${savedFolder(id)}/${siteFile}`);
  if (json === undefined) return;
  const text = (await readText(host, `${savedFolder(id)}/${siteTextFile}`)) ?? null;
  const author = (restoreFrom && (await readText(host, authorOf(restoreFrom)))) ?? '';
  const file = earlierSite(`${began}.json`);
  // After an interruption at the end, the author may be gone already.
  if ((await readText(host, file.path)) === undefined) {
    await file.write(host, { author, json, text });
  }
  const names = (await host.namesIn(folder)).filter((name) => name.endsWith('.json')).sort();
  for (const name of names.slice(0, -maxSites)) await removeFile(host, `${folder}/${name}`);
}

/** Keeps the text of a site that was not kept, because it may be long. Idempotent. */
export async function keepRefusedSite(
  host: Host,
  { restoreFrom }: Pick<Transaction, 'restoreFrom'>,
): Promise<void> {
  if (restoreFrom === null) return;
  const text = await readText(host, `${savedFolder(restoreFrom)}/${siteTextFile}`);
  if (text !== undefined) await writeText(host, refusedSiteFile, text, { mode });
}

/** Returns the sites that were replaced, the newest first. */
export async function earlierSites(host: Host): Promise<EarlierSite[]> {
  const names = (await host.namesIn(folder)).filter((name) => name.endsWith('.json'));
  const sites: EarlierSite[] = [];
  for (const name of names.sort().reverse()) {
    const site = await earlierSite(name).read(host);
    if (site) sites.push({ at: name.slice(0, -'.json'.length), ...site });
  }
  return sites;
}
