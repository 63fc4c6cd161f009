import { linkSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addToHistory, type EndedUpdate, readHistory } from '../../../appliance/update/history.ts';
import { TemporaryHost } from '../temporary-host.ts';

const file = 'var/lib/landfall/update/history.jsonl';

function ended(id: string): EndedUpdate {
  return {
    ...{ at: '2026-01-01T00:00:00.000Z', id, kind: 'update', from: '1.0.0', to: '1.1.0' },
    ...{ manifest: 'a'.repeat(64), outcome: 'committed', took: 1, closed: null },
    ...{ keepsPrevious: true, reason: null },
  };
}

it('records each update once', async () => {
  const host = TemporaryHost.with({});
  for (const id of ['one', 'two', 'two']) await addToHistory(host, ended(id));
  expect((await readHistory(host)).map(({ id }) => id)).toEqual(['one', 'two']);
});

it('reads an update that follows an incomplete line', async () => {
  const whole = JSON.stringify(ended('one'));
  const host = TemporaryHost.with({ [file]: `${whole}\n${whole.slice(0, 40)}` });
  await addToHistory(host, ended('two'));
  expect((await readHistory(host)).map(({ id }) => id)).toEqual(['one', 'two']);
});

it('replaces the file, so that a power cut loses no earlier update', async () => {
  const host = TemporaryHost.with({ [file]: `${JSON.stringify(ended('one'))}\n` });
  const before = readFileSync(host.path(file), 'utf8');
  linkSync(host.path(file), host.path(`${file}.before`));
  await addToHistory(host, ended('two'));
  expect(readFileSync(host.path(`${file}.before`), 'utf8')).toBe(before);
});
