import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '#files/open-regular.ts';
import { Ledger } from '../../budget/ledger.ts';
import { readJournal, readState, type UsageProblem } from '../../budget/usage-event.ts';

/** Files of the folder with the usage. */
export const stateName = 'state.json';
/** Key of the hashes of people and networks, 32 bytes as hex. */
export const personKeyName = 'person-key';
export const journalName = (number: number) => `journal-${number}.jsonl`;

/** Usage of 20,000 accounts over two months fits. */
const maxBytes = 256 * 2 ** 20;
/** A running relay replaces both files when it compacts. */
const attempts = 5;

/** The usage as it is stored. Open reservations are still held. */
interface StoredUsage {
  readonly ledger: Ledger;
  /** Number of the journal; -1 in an empty folder. */
  readonly journal: number;
}

/**
 * Reads the usage of a folder, also while a relay writes it. Follows no links: the container of the
 * relay can write the folder.
 * @param owner user that must own the folder and its files
 */
export async function readStoredUsage(
  folder: string,
  owner: number,
): Promise<StoredUsage | UsageProblem> {
  for (let attempt = 1; ; attempt += 1) {
    const owned = await checkOwner(folder, owner);
    if (owned) return owned;
    const found = await readFiles(folder, owner);
    if (found !== 'changed') return found;
    if (attempt === attempts) return 'damaged';
  }
}

async function readFiles(
  folder: string,
  owner: number,
): Promise<StoredUsage | UsageProblem | 'changed'> {
  const statePath = join(folder, stateName);
  const owned = await checkOwner(statePath, owner);
  if (owned === 'missing') return { ledger: new Ledger(), journal: -1 };
  if (owned) return owned;
  const text = await read(statePath);
  if (text === undefined) return 'damaged';
  const state = readState(text);
  if (typeof state === 'string') return state;
  const journalPath = join(folder, journalName(state.journal));
  const written = await read(journalPath);
  if (written === undefined) {
    // A relay that stops between both files leaves a state without a journal.
    return (await read(statePath)) === text
      ? { ledger: new Ledger(state), journal: state.journal }
      : 'changed';
  }
  if ((await checkOwner(journalPath, owner)) === 'foreign') return 'foreign';
  const events = readJournal(written);
  if (events === 'damaged') return events;
  const ledger = new Ledger(state);
  for (const event of events) ledger.apply(event);
  return { ledger, journal: state.journal };
}

async function read(path: string): Promise<string | undefined> {
  return (await readRegular(path, maxBytes, { follow: false }))?.toString('utf8');
}

async function checkOwner(path: string, owner: number): Promise<'missing' | 'foreign' | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 'missing';
  return found.uid === owner ? undefined : 'foreign';
}
