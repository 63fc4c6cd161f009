import { existsSync, mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { transactionFile } from '#contract/server-paths.ts';
import { restoreHere } from '../../../../appliance/commands/restore/on-this-server.ts';
import {
  addToHistory,
  type EndedUpdate,
} from '../../../../appliance/operations/transactions/history.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const id = '11111111-0000-4000-8000-000000000000';
const restored: EndedUpdate = {
  ...{ at: '2026-01-01T00:00:00.000Z', id, kind: 'restore', from: '1.0.0', to: '1.0.0' },
  ...{ manifest: 'a'.repeat(64), outcome: 'committed', took: 1, closed: 1 },
  ...{ keepsPrevious: true, reason: null },
};

/** Undoes the last restore of a server with this history. */
async function undo(...history: readonly EndedUpdate[]) {
  const host: TemporaryHost = TemporaryHost.with(
    {},
    { 'docker volume inspect': () => JSON.stringify(host.path('volumes/x/_data')) },
  );
  for (const entry of history) await addToHistory(host, entry);
  mkdirSync(host.path('volumes/x/_data'), { recursive: true });
  await restoreHere(contextFor(host), undefined, { undo: true, yes: true, maxPause: 60 }).catch(
    (error: unknown) => {
      expect(existsSync(host.path(transactionFile))).toBe(false);
      throw error;
    },
  );
}

it('refuses to undo a restore whose copy of before is gone, as after an undo that failed', async () => {
  await expect(undo(restored)).rejects.toMatchObject({
    code: 'STATE_INVALID',
    message: 'the chats of before the last restore are gone',
  });
});

it('refuses to undo a restore after which an update was installed', async () => {
  const update = { ...restored, id: id.replace('1', '2'), kind: 'update' } as const;
  await expect(undo(restored, update)).rejects.toMatchObject({
    code: 'STATE_INVALID',
    message: 'there is no restored backup to undo',
  });
});
